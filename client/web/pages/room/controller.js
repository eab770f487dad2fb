// Connect the models of a room with its components: handle clicks, keys and updates.

import { signal } from "@preact/signals";

import { dropSecond } from "../../app/hot-seat.js";
import { HintModel } from "../../models/room/hint.js";
import { RoomModel } from "../../models/room/model.js";
import { RoomPhrases } from "../../models/room/phrases.js";
import { Premove } from "../../models/room/premove.js";
import { RoomPermissions } from "../../models/room/permissions.js";
import { SoundCues } from "../../models/room/sound-cues.js";
import { RoomTalk } from "../../models/room/talk.js";
import { RoomText } from "../../models/room/text.js";
import { UnsentMoves } from "../../models/room/unsent.js";
import { tr } from "../../texts.js";
import { Announcer } from "./announcer.js";
import { Lookups } from "./lookups.js";
import { RoomRequests } from "./requests.js";

/** How long a notice about a refused action is shown, in seconds. */
const NOTICE_S = 5;
/** How long a request waits for its answer, in seconds; this covers a lost connection, too. */
const PATIENCE_S = 3600;

/** @typedef {import("../../app/app.js").App} App */
/** @typedef {import("../../core/room.js").RoomMirror} RoomMirror */
/** @typedef {import("../../net/link.js").Link} Link */
/** @typedef {import("../../models/room/own-seats.js").Who} Who */
/** @typedef {import("../../types/api.js").GameGeometry} Geometry */

/**
 * One room on the page. `version` grows with each visible change: components read it, and then the
 * models. (Each component has to read it, because Preact draws a component again only when its
 * properties or its signals have changed.) While `asking`, the person has to
 * confirm that they resign.
 */
export class RoomController {
  /**
   * @param {App} app
   * @param {RoomMirror} mirror
   * @param {Geometry} geometry
   * @param {{offers: import("../../app/catalogue.js").Offers, guest: Link | null}} options
   */
  constructor(app, mirror, geometry, { offers, guest }) {
    this.app = app;
    this.id = mirror.room;
    this.version = signal(0);
    this.guest = guest;
    this.model = new RoomModel(mirror, geometry);
    this.may = new RoomPermissions(this.model, offers);
    this.text = new RoomText(this.model, this.may);
    this.hint = new HintModel(this.model, this.may);
    /** For spectators of matches whose players allow it. @type {import("../../models/room/evaluation.js").Evaluation | null} */
    this.evaluation = null;
    this.premove = new Premove(this.model);
    this.phrases = new RoomPhrases();
    this.talk = new RoomTalk();
    this.cues = new SoundCues(this.model);
    this.requests = new RoomRequests(this);
    this.lookups = new Lookups(this);
    this._announcer = new Announcer(this);
    this.unsent = new UnsentMoves(app.storage);
    this.asking = false;
    this._notice = { text: "", until: 0, turn: false };
    this._stage = "";
    this._match = mirror.match;
    /** The request for a takeback that waited last, and its position. @type {[number, string] | null} */
    this._asked = null;
    /** Whether the person has left the room for good. */
    this.left = false;
    /** When the match last began or ended, in seconds; see `keys.js`. */
    this.stageAt = 0;
    /** The name of the match's tournament, empty while it is unknown. */
    this.tournament = "";
    if (mirror.tag !== null) void this._nameTournament(mirror.tag.tournament);
    this.update();
  }

  /** Read the room again after an update of the server. */
  update() {
    const { app, model } = this;
    const mirror = app.session.rooms.get(this.id) ?? model.mirror;
    const mine = model.pending.order;
    const moves = model.mirror.moves.length;
    model.take(mirror, this.guest?.session.rooms.get(this.id) ?? null, app.now());
    this.may.advice = app.session.welcome?.advice === true;
    const stage = `${mirror.match} ${mirror.status}`;
    if (stage !== this._stage || model.history.total !== moves) this._notice.until = 0;
    if (stage !== this._stage) this.stageAt = app.now();
    if (mirror.match !== this._match) this.phrases.clear();
    this._match = mirror.match;
    this._stage = stage;
    if (!model.playing) this.asking = false;
    this.hint.update();
    const cue = this.cues.afterUpdate(mine !== null && model.pending.order === null);
    if (cue !== null) app.sounds.play(cue);
    this._announcer.update();
    this._noteRefusal();
    void this.lookups.positions();
    this._sendKept();
    const early = this.premove.due();
    if (early !== null) {
      model.lookAt(null);
      this.play(early);
    }
    this.changed();
  }

  /**
   * Show and announce what a player said.
   *
   * @param {number} seat
   * @param {string} phrase
   */
  hear(seat, phrase) {
    const { app, model } = this;
    const own = model.seats.has(seat);
    if (this.muted && !own) return;
    const words = this.phrases.take(seat, phrase, app.now(), own);
    if (words) app.say(own ? tr("You: {words}", { words }) : `${model.name(seat)}: ${words}`);
    this.changed();
  }

  /**
   * Show what somebody said.
   *
   * @param {readonly import("../../core/messages.js").Said[]} said
   */
  hearWords(said) {
    this.talk.take(said);
    this.changed();
  }

  /** Ask the server for what was said before. */
  async loadTalk() {
    try {
      this.hearWords((await this.app.request({ type: "get_talk", room: this.id })).said);
    } catch {
      // What is said from now on comes by itself.
    }
  }

  /** Whether the phrases of others are dropped in this room. */
  get muted() {
    return this.app.mutedRooms.get(this.id) ?? this.app.settings.mutePhrases.value;
  }

  /** @param {boolean} on */
  mute(on) {
    this.app.mutedRooms.set(this.id, on);
    if (on) this.phrases.mute();
    this.changed();
  }

  /** Say that the opponent did not agree to a takeback. */
  _noteRefusal() {
    const { mirror, playing, seats } = this.model;
    const { match, takebacks, moves, takeback } = mirror;
    const place = `${match} ${takebacks} ${moves.length}`;
    const [seat, where] = this._asked ?? [];
    this._asked = takeback && [takeback.seat, place];
    if (seat === undefined || where !== place || takeback || !playing || !seats.has(seat)) return;
    if (!this.requests.withdrew) {
      this.notice(tr("{name} did not agree to the takeback.", { name: this.model.name(1 - seat) }));
    }
    this.requests.withdrew = false;
  }

  /** Send the move that an earlier visit of this page could not send. */
  _sendKept() {
    const { mirror, pending, seats } = this.model;
    if (this.offline || pending.order !== null || !seats.has(mirror.toMove)) return;
    const action = this.unsent.action(mirror);
    if (action === null) return;
    const order = this.model.play(action);
    if (typeof order === "string") this.unsent.forget(this.id);
    else void this.requests.move(order);
  }

  /** @param {string} tournament */
  async _nameTournament(tournament) {
    try {
      const state = await this.app.request({ type: "get_tournament", tournament });
      this.tournament = state.terms.name;
      this.changed();
    } catch {
      // The room works without the name.
    }
  }

  /** Show the present state of all models. */
  changed() {
    this.version.value += 1;
  }

  /**
   * Send a request over the connection of a person at this page, and return its answer.
   *
   * @param {Who} who
   * @param {import("../../types/wire.js").NewRequest} message
   * @returns {Promise<any>}
   */
  request(who, message) {
    const link = who === "guest" ? this.guest : this.app.link;
    return link === null ? this.app.request(message) : link.request(message, PATIENCE_S);
  }

  // -- input --------------------------------------------------------------------------------

  /** @param {number} action */
  play(action) {
    this.premove.on = this.app.settings.premoves.peek();
    if (this.premove.choose(action)) {
      this._notice.until = 0;
      this.app.say(this._early() || tr("No move waits for your turn."));
      this.changed();
      return;
    }
    const order = this.model.play(action);
    if (typeof order === "string") {
      this.notice(order);
      return;
    }
    this._notice.until = 0;
    this.app.sounds.play("draw");
    this.hint.update();
    this.unsent.keep(order);
    this.changed();
    this.requests.move(order);
  }

  /** Forget the move that is chosen for the next turn. */
  dropPremove() {
    this.premove.action = null;
    this.changed();
  }

  /** @param {number | null} ply */
  lookAt(ply) {
    this._look(() => this.model.lookAt(ply));
  }

  /** @param {() => void} act */
  _look(act) {
    const { ending } = this.model;
    act();
    const cue = this.cues.afterUpdate();
    // Only the end, which a spectator reaches by this, is worth a sound.
    if (cue !== null && this.model.ending !== ending) this.app.sounds.play(cue);
    void this.lookups.positions();
    this._announcer.looked();
    this.changed();
  }

  /**
   * Let a spectator choose what is shown, at a time in seconds.
   *
   * @param {(playback: import("../../models/room/playback.js").Playback, now: number) => void} act
   */
  watch(act) {
    this._look(() => this.model.watch((playback) => act(playback, this.app.now())));
  }

  /** Show a spectator the next move, if it is due. */
  tick() {
    if (!this.model.tick(this.app.now())) return;
    const cue = this.cues.afterUpdate();
    if (cue !== null) this.app.sounds.play(cue);
    this._announcer.update();
    this.changed();
  }

  /** @param {number} by */
  step(by) {
    this.lookAt(this.model.stepped(by));
  }

  /** @param {boolean} asking */
  ask(asking) {
    this.asking = asking;
    this.changed();
  }

  /** Resign, after the person has confirmed it. */
  confirm() {
    this.ask(false);
    return this.requests.resign();
  }

  /** Leave the room on the server and show the lobby. */
  leave() {
    this.leaveRoom();
    this.app.navigate("/");
  }

  /** Stop following the room; a waiting room closes, and a finished one gets no rematch. */
  leaveRoom() {
    this.left = true;
    if (this.model.mirror.status === "closed") return;
    // The room may be gone already, and nobody waits for this answer.
    this.app.request({ type: "leave", room: this.id }).catch(() => {});
    if (this.guest !== null) void dropSecond(this.app, this.id);
  }

  /** Stop following the room when another page takes its place; players keep their seats. */
  close() {
    if (this.model.seats.watching) this.leaveRoom();
  }

  // -- sentences ------------------------------------------------------------------------------

  /**
   * Show for a few seconds why an action was not possible.
   *
   * @param {string} text
   */
  notice(text) {
    this._notice = { text, until: this.app.now() + NOTICE_S, turn: this.model.myTurn };
    this.app.say(text);
    this.changed();
  }

  /**
   * Return the sentence below the board at `now`, in seconds, and its kind.
   *
   * @param {number} now
   * @returns {{text: string, kind: "plain" | "strong" | "wrong" | "hint"}}
   */
  sentence(now) {
    const { model, text, hint } = this;
    if (now < this._notice.until && this._notice.turn === model.myTurn) {
      return { text: this._notice.text, kind: "wrong" };
    }
    const cut = this._cutOff();
    if (cut) return { text: cut, kind: "wrong" };
    // The answers to these two stand beside them.
    const asked = this.may.takebackAnswerer ? text.takebackLine : text.absenceLine(now);
    if (asked) return { text: asked, kind: "strong" };
    const line = hint.line(now);
    if (line) return { text: line, kind: hint.problem ? "wrong" : "hint" };
    const early = this._early();
    if (early) return { text: early, kind: "plain" };
    return { text: `${text.statusLine} ${text.firstMoveLine(now)}`.trim(), kind: model.myTurn ? "strong" : "plain" };
  }

  _early() {
    const { action } = this.premove;
    const name = this.model.geometry.names[action ?? -1];
    return action === null ? "" : tr("{name} waits for your turn. Choose it again to remove it.", { name });
  }

  /** Whether a connection of this page is interrupted. */
  get offline() {
    return [this.app.link, this.guest].some((link) => link != null && link.state !== "connected");
  }

  _cutOff() {
    const { mirror, pending } = this.model;
    if (!this.offline || mirror.status === "closed") return "";
    if (this.app.link?.ending === "replaced") return this.app.link.sentence;
    if (pending.order !== null) return tr("No connection. Your move is kept and sent later.");
    if (mirror.status !== "playing") return tr("No connection.");
    return this.model.playing
      ? tr("No connection. The match goes on when the connection is back.")
      : tr("No connection. The board shows the last known position.");
  }
}
