// Decide what the people at this page may do in a room, apart from moving.

import { OWN } from "./own-seats.js";
import { byDays, waitsForDays } from "./words.js";

/** @typedef {import("./model.js").RoomModel} RoomModel */
/** @typedef {import("./own-seats.js").Who} Who */
/** @typedef {import("../../app/catalogue.js").Offers} Offers */

/** The permissions in the room of `model`, always for its present state. */
export class RoomPermissions {
  /**
   * @param {RoomModel} model
   * @param {Offers} offers
   */
  constructor(model, { features, policy }) {
    this._model = model;
    /** Whether the game describes features. */
    this.featuresHere = features;
    this._policy = policy;
    /** Whether the server gives advice; the welcome says so. */
    this.advice = false;
  }

  // -- during a match -----------------------------------------------------------------------

  /**
   * Whether the match allows hints. One person must play a bot, or two people share this page, and
   * the match must be neither rated nor part of a tournament.
   */
  get hintsGiven() {
    const { seats, strict, playing } = this._model;
    const opponent = seats.opponent;
    if (!this.advice || !playing || strict || opponent === null) return false;
    return seats.shared || this._model.isBot(opponent);
  }

  /** Whether a hint is allowed now: at this person's turn, in the confirmed position. */
  get hint() {
    return this.hintsGiven && this._model.myTurn && this._model.viewing === null;
  }

  /** Whether the overlay is available: players of rated or tournament matches get none. */
  get overlay() {
    return this.featuresHere && !(this._model.strict && this._model.playing);
  }

  /**
   * Whether a heat map is available: players of a match get one only where hints are given. Two
   * people at one page both see it.
   */
  get heat() {
    const { seats, strict, playing } = this._model;
    return this._policy && (!playing || this.hintsGiven || (!strict && (seats.watching || seats.shared)));
  }

  /** Whether two people who do not share this page can say phrases in this room. */
  get phrasesHere() {
    const { mirror, seats } = this._model;
    return !seats.shared && mirror.players.every((player) => player?.kind === "human");
  }

  /** Whether this person can say a phrase now: as a player, in a match or after it. */
  get speaks() {
    const { mirror, seats } = this._model;
    return this.phrasesHere && !seats.watching && ["playing", "finished"].includes(mirror.status);
  }

  /** Whether people talk here: two who play each other, or spectators among themselves. */
  get talkHere() {
    return this._model.seats.watching || this.phrasesHere;
  }

  /** Whether the person can resign. */
  get resign() {
    return this._model.playing;
  }

  /** The connection that resigns: of two people who share the page, that of the mover. */
  get resigner() {
    const { seats, toMove } = this._model;
    const mover = seats.shared && toMove !== null ? seats.connections.get(toMove) : undefined;
    return /** @type {Who} */ (mover ?? [...seats.connections.values()][0] ?? OWN);
  }

  /** Whether the match could be aborted at its beginning; not in a tournament. */
  get abortsHere() {
    return this._model.playing && this._model.mirror.tag === null;
  }

  /** Whether the match can be aborted now: before the person's own first move. */
  get abort() {
    const { history, mirror, seats } = this._model;
    const begun = mirror.settings.start.length;
    const turns = history.turns.filter((turn) => turn.moves.some((move) => move.ply > begun));
    const moved = new Set(turns.map((turn) => turn.seat));
    const waits = [...seats.connections.keys()].some((seat) => !moved.has(seat));
    return this.abortsHere && !history.missing && waits;
  }

  /** Whether moves of this match can be taken back: only in casual matches. */
  get takebacksHere() {
    return this._model.playing && !this._model.strict;
  }

  /**
   * The ply to return to and the connection that asks, or null if nobody can ask now. It is the last
   * own move; of two people who share the page, the last move.
   *
   * @returns {{ply: number, who: Who} | null}
   */
  get takeback() {
    const { mirror, seats, history, pending } = this._model;
    const able = mirror.presence.seats.every((seat) => seat.connected && seat.takebacks);
    if (!this.takebacksHere || !able || mirror.takeback || pending.order) return null;
    for (let ply = history.total - 1; ply >= mirror.settings.start.length; ply--) {
      const who = seats.connections.get(history.mover(ply + 1) ?? -1);
      if (who) return { ply, who };
    }
    return null;
  }

  /** The connection whose request for a takeback waits for somebody elsewhere, or undefined. */
  get takebackWaits() {
    const { mirror, seats } = this._model;
    return mirror.takeback && !seats.shared ? seats.connections.get(mirror.takeback.seat) : undefined;
  }

  /** The connection of this page that may answer a request for a takeback, or undefined. */
  get takebackAnswerer() {
    const { mirror, seats } = this._model;
    return mirror.takeback ? seats.connections.get(1 - mirror.takeback.seat) : undefined;
  }

  /** Whether there is an opponent elsewhere who could stay away. */
  get claimsHere() {
    const { playing, seats, mirror } = this._model;
    return playing && !seats.shared && !waitsForDays(mirror);
  }

  /**
   * When this person may claim the win against an absent opponent, in seconds, or null.
   */
  get claimAt() {
    const { seats, mirror, playing } = this._model;
    const opponent = seats.opponent;
    return !playing || opponent === null ? null : mirror.claimAt[opponent];
  }

  /**
   * Return whether the person can claim the win at `now`.
   *
   * @param {number} now
   */
  claim(now) {
    const at = this.claimAt;
    return this.claimsHere && at !== null && now >= at;
  }

  // -- another match ------------------------------------------------------------------------

  /** Whether one player at this page can plan moves: in a game by days. */
  get plansHere() {
    const { seats, mirror } = this._model;
    return seats.only !== null && byDays(mirror.settings.time);
  }

  /** Whether the player can plan now: the opponent is to move, and the position is confirmed. */
  get plan() {
    const { playing, pending, seats, toMove } = this._model;
    return this.plansHere && playing && pending.order === null && toMove !== null && !seats.has(toMove);
  }

  /** Whether the room allows rematches. A tournament does not: it pairs the players itself. */
  get rematchesHere() {
    return !this._model.seats.watching && this._model.mirror.tag === null;
  }

  /** Whether the person can offer or accept a rematch. */
  get rematch() {
    const finished = this._model.mirror.status === "finished";
    return this.rematchesHere && finished && this.rematchConnections.length > 0;
  }

  /** The connections of this page that have not agreed to a rematch yet. */
  get rematchConnections() {
    const { seats, mirror } = this._model;
    return [...seats.connections].filter(([seat]) => !mirror.rematch[seat]).map(([, who]) => who);
  }

  /** Whether the person has offered a rematch, and can withdraw it. */
  get rematchWithdrawn() {
    const finished = this._model.mirror.status === "finished";
    return this.rematchesHere && finished && this.rematchConnections.length === 0;
  }

  /** Whether the opponent has offered a rematch. */
  get rematchOffered() {
    const { seats, mirror } = this._model;
    return mirror.status === "finished" && [0, 1].some((s) => !seats.has(s) && mirror.rematch[s]);
  }

  /** Whether the opponent is connected, so that they can answer. */
  get opponentHere() {
    const { seats, mirror } = this._model;
    const slow = byDays(mirror.settings.time);
    const here = (/** @type {0 | 1} */ seat) => (slow ? !mirror.presence.seats[seat].left : this._model.present(seat));
    return /** @type {(0 | 1)[]} */ ([0, 1]).every((seat) => seats.has(seat) || here(seat));
  }
}
