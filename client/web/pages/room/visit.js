// Open a room by its link: watch it first, and join only when the person says so.

import { effect, signal, untracked } from "@preact/signals";

import { offersOf } from "../../app/catalogue.js";
import { runningGames } from "../../app/elsewhere.js";
import { secondIn } from "../../app/hot-seat.js";
import { decoded, gamePath, roomPath } from "../../models/addresses.js";
import { getJson } from "../../net/api.js";
import { RoomController } from "./controller.js";
import { refusal } from "./requests.js";

/** @typedef {import("../../app/app.js").App} App */
/** @typedef {import("../../core/room.js").RoomMirror} RoomMirror */

/**
 * What the page shows: the room, or before it a field for the name or the code, or why the room
 * cannot be opened (`detail` is the server's sentence).
 *
 * @typedef {{kind: "name" | "opening"} | {kind: "room", room: RoomController}
 *   | {kind: "code", wrong: boolean} | {kind: "problem", code: string, detail: string}} VisitState
 */

/** One visit to the room with the id `id`. `begin` starts it, and returns what ends it. */
export class RoomVisit {
  /**
   * @param {App} app
   * @param {string} id
   * @param {string} code the join code from the link, or an empty text
   */
  constructor(app, id, code) {
    this.app = app;
    this.id = id;
    this.code = code;
    /** @type {import("@preact/signals").Signal<VisitState>} */
    this.state = signal({ kind: app.known.value ? "opening" : "name" });
    /** @type {RoomController | null} */
    this._room = null;
    /** What a visitor does who has just chosen a name. @type {"join" | "watch"} */
    this.wish = "join";
    /** Whether a request to enter the room has no answer yet. */
    this._entering = false;
    /** Whether the first state of the room has come, but not yet all that is drawn with it. */
    this._preparing = false;
    this._over = false;
  }

  /** Follow the room from now on. */
  begin() {
    const stop = effect(() => {
      this.app.topics.of(`room:${this.id}`).value;
      this.app.topics.of("link").value;
      this.app.known.value;
      untracked(() => this._sync());
    });
    const deafen = this.app.listen((updates) => {
      for (const each of updates) {
        if (each.kind === "said" && each.said.room === this.id) this._room?.hearWords([each.said]);
        if (each.kind === "phrase" && each.room === this.id) this._room?.hear(each.seat, each.phrase);
      }
    });
    return () => {
      this._over = true;
      stop();
      deafen();
      if (this._room !== null) this._room.close();
      else if (!this._entering) this._forget();
    };
  }

  /** Take the free seat; watch if there is none any more. */
  async join() {
    this._open();
    if ((await this._enter("join_room")) === "full") await this._enter("watch");
  }

  /** Follow the room as a spectator, or as the player whose seat is in it. */
  async watch() {
    this._open();
    await this._enter("watch");
  }

  /**
   * Try again with another code.
   *
   * @param {string} code
   */
  useCode(code) {
    this.code = code;
    history.replaceState(null, "", `#${encodeURIComponent(code)}`);
    return this.watch();
  }

  _open() {
    // The room of an earlier state may have been left meanwhile, or belong to another player.
    this._room = null;
    this.state.value = { kind: "opening" };
  }

  _sync() {
    const mirror = this.app.session.rooms.get(this.id);
    if (mirror !== undefined && this._room !== null) this._room.update();
    else if (mirror !== undefined) void this._show(mirror);
    else if (!this._idle) return;
    else if (this.state.value.kind === "name" && this.wish === "join") void this.join();
    // This also helps when another page has left the room while this one opened it.
    else void this.watch();
  }

  /** Whether nothing is under way and the person has not left, so that the room may be opened. */
  get _idle() {
    const { kind } = this.state.value;
    const asks = kind === "problem" || kind === "code";
    const works = this._entering || this._preparing;
    return !works && !asks && this.app.known.value && this._room?.left !== true;
  }

  /** @param {"watch" | "join_room"} type */
  async _enter(type) {
    if (this._entering) return "";
    this._entering = true;
    try {
      const code = this.code || null;
      await this.app.request({ type, room: this.id, code });
      if (this._over) this._forget();
    } catch (error) {
      const { code, sentence } = refusal(error);
      if (code === "unknown_room" && (await this._showRecord())) return "";
      if (type === "join_room" && (code === "room_full" || code === "wrong_state")) return "full";
      this._room = null;
      this.state.value =
        code === "wrong_code"
          ? { kind: "code", wrong: this.code !== "" }
          : { kind: "problem", code, detail: sentence };
    } finally {
      this._entering = false;
    }
    return "";
  }

  /** Lead to the last game of a room that is gone, or to the one in play; return whether there is one. */
  async _showRecord() {
    const token = this.app.identity.token ?? null;
    let last = "";
    try {
      // The games of a room are numbered from 1.
      for (let match = 1; ; match++) {
        const game = `${this.id}-${match}`;
        await getJson(`/api/games/${encodeURIComponent(game)}`, { code: this.code }, { token });
        last = game;
      }
    } catch {
      // The one after the last, or none that this person may see.
    }
    // In a tournament the next game may have begun while the connection was lost.
    const [next] = runningGames(this.app.session.rooms.values());
    const path = next ? roomPath(next.room) : gamePath(last, this.code);
    if (last && !this._over) this.app.navigate(path, { replace: true });
    return last !== "";
  }

  /** Stop following the room if its page was left before it was shown; players keep their seats. */
  _forget() {
    if (this.app.session.rooms.get(this.id)?.seat !== null) return;
    // The room may be gone already, and nobody waits for this answer.
    this.app.request({ type: "leave", room: this.id }).catch(() => {});
  }

  /** @param {RoomMirror} mirror */
  async _show(mirror) {
    if (this._preparing) return;
    this._preparing = true;
    const { game, params } = mirror.settings;
    try {
      const [geometry, catalogue, guest] = await Promise.all([
        this.app.geometry(game, params),
        this.app.catalogue(),
        secondIn(this.app, this.id),
      ]);
      if (this._over) return;
      const offers = offersOf(catalogue.games, game);
      const room = new RoomController(this.app, mirror, geometry, { offers, guest });
      this._room = room;
      this.state.value = { kind: "room", room };
      // The strip leads to matches that begin elsewhere; this one is on the screen now.
      this.app.notices.close(`begun ${this.id}`);
    } catch (error) {
      this.state.value = { kind: "problem", code: "", detail: refusal(error).sentence };
    } finally {
      this._preparing = false;
    }
  }
}

/** Return the join code that the address of the page carries after `#`. */
export function codeInAddress() {
  return decoded(location.hash.slice(1));
}
