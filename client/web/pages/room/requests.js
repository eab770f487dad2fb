// Send the requests of the people in a room: moves, hints, resigning, claiming, rematches.

import { sentenceOf } from "../../app/app.js";
import { LinkEnded } from "../../core/errors.js";
import { roomPath } from "../../models/addresses.js";
import { tr } from "../../texts.js";

/** @typedef {import("./controller.js").RoomController} RoomController */
/** @typedef {import("../../models/room/own-seats.js").Who} Who */
/** @typedef {import("../../models/room/pending.js").Order} Order */

/** Requests of which one of each kind may wait for an answer.
 * @typedef {"claim" | "abort" | "resign" | "takeback" | "rematch" |
 *   "decline_rematch" | "create"} RequestKind */

/**
 * Refusals of moves that are not shown: the match went on meanwhile, for example while the
 * connection was lost, and the next update shows that.
 */
const SILENT = new Set(["stale_ply", "wrong_state"]);

/** Sends requests about the room of `room`. `waiting` has the kinds that have no answer yet. */
export class RoomRequests {
  /** @param {RoomController} room */
  constructor(room) {
    this._room = room;
    /** @type {Set<RequestKind>} */
    this.waiting = new Set();
    /** Whether this page withdrew the last request for a takeback. */
    this.withdrew = false;
  }

  /**
   * Send a move, which its connection repeats until the server has answered.
   *
   * @param {Order} order
   */
  async move(order) {
    const { who, room, match, ply, takebacks, action } = order;
    try {
      await this._room.request(who, { type: "move", room, match, ply, takebacks, action });
      this._room.unsent.forget(room);
    } catch (error) {
      // One connection too many was ended: another tab sends the kept move, or this one when it connects again.
      if (!(error instanceof LinkEnded)) this._room.unsent.forget(room);
      const { code, sentence } = refusal(error);
      if (!this._room.model.pending.refuse(order)) return;
      if (!SILENT.has(code)) this._room.notice(sentence);
      this._room.changed();
    }
  }

  /** Claim the win because the opponent stays away. */
  claim() {
    return this._ask("claim", "me");
  }

  /** Abort the match. */
  abort() {
    return this._ask("abort", "me");
  }

  /** Resign; return whether the server has confirmed it. */
  resign() {
    return this._ask("resign", this._room.may.resigner);
  }

  /**
   * Ask to take back the last own move, or withdraw the request. Of two people at this page the
   * other one agrees at once.
   */
  async takeBack() {
    const { may, model } = this._room;
    if (may.takebackWaits) return this._takeback(may.takebackWaits, false);
    const asked = may.takeback;
    if (asked === null) return;
    const { room, match, takebacks } = model.mirror;
    const { ply, who } = asked;
    /** @type {import("../../types/wire.js").NewRequest} */
    const message = { type: "ask_takeback", room, match, ply, takebacks };
    const event = await this._send("takeback", () => this._room.request(who, message));
    const other = [...model.seats.connections.values()].find((each) => each !== who);
    if (event?.type === "takeback_asked" && other) await this._takeback(other, true);
  }

  /**
   * Answer the opponent's request for a takeback.
   *
   * @param {boolean} accept
   */
  async answerTakeback(accept) {
    const who = this._room.may.takebackAnswerer;
    if (who) await this._takeback(who, accept);
  }

  /**
   * @param {Who} who
   * @param {boolean} accept
   */
  async _takeback(who, accept) {
    const { room, match, takebacks, takeback } = this._room.model.mirror;
    if (takeback === null) return;
    const { seat, ply } = takeback;
    this.withdrew = this._room.model.seats.connections.get(seat) === who;
    /** @type {import("../../types/wire.js").NewRequest} */
    const message = { type: "answer_takeback", room, match, ply, takebacks, accept };
    await this._send("takeback", () => this._room.request(who, message));
  }

  /** Offer or accept a rematch for each person at this page, one after the other. */
  async rematch() {
    for (const who of this._room.may.rematchConnections) {
      if (!(await this._ask("rematch", who))) return;
    }
  }

  /** Decline the opponent's rematch, or withdraw the own offer. */
  async declineRematch() {
    await this._ask("decline_rematch", "me");
  }

  /**
   * Say a phrase to the opponent; the server sends it back to be shown.
   *
   * @param {import("../../models/room/phrases.js").Phrase} phrase
   */
  async say(phrase) {
    const { room, match } = this._room.model.mirror;
    if (this._room.offline) {
      this._room.notice(tr("No connection. Say it again when it is back."));
      return;
    }
    try {
      await this._room.request("me", { type: "say_phrase", room, match, phrase });
    } catch (error) {
      this._room.notice(refusal(error).sentence);
    }
  }

  /** Leave for a new private room with the same settings, whose link a friend gets. */
  async inviteFriend() {
    const { app, model } = this._room;
    const { settings } = model.mirror;
    const key = app.key();
    const made = await this._send("create", () =>
      app.request({ type: "create_room", key, settings, seat: null, private: true }),
    );
    if (made === null) return;
    this._room.leaveRoom();
    app.navigate(roomPath(made.room, made.code));
  }

  /** Ask the server for the best move in the latest position. */
  async hint() {
    const { hint, app, model, may } = this._room;
    const request = hint.ask(app.now());
    if (request === null) return;
    this._room.changed();
    try {
      const { room } = request;
      const shared = model.seats.shared ? [...model.seats.connections.values()] : [];
      const asker = may.resigner;
      for (const who of shared) await this._room.request(who, { type: "allow_advice", room });
      hint.take(request, await this._room.request(asker, { type: "get_advice", room }));
    } catch (error) {
      hint.fail(request, refusal(error).sentence);
    }
    if (hint.line(app.now())) app.say(hint.line(app.now()));
    this._room.changed();
  }

  /**
   * Send a request about the room; return whether the server has carried it out.
   *
   * @param {"claim" | "abort" | "resign" | "rematch" | "decline_rematch"} type
   * @param {Who} who
   */
  async _ask(type, who) {
    const { id } = this._room;
    return (await this._send(type, () => this._room.request(who, { type, room: id }))) !== null;
  }

  /**
   * Send a request unless one of its kind waits; return its answer, or null without one.
   *
   * @param {RequestKind} kind
   * @param {() => Promise<any>} send
   */
  async _send(kind, send) {
    if (this.waiting.has(kind)) return null;
    this.waiting.add(kind);
    this._room.changed();
    try {
      return await send();
    } catch (error) {
      // If the match has ended meanwhile, the reason why it could not be ended is pointless.
      const ends = !kind.endsWith("rematch") && kind !== "create";
      if (!ends || this._room.model.playing) this._room.notice(refusal(error).sentence);
      return null;
    } finally {
      this.waiting.delete(kind);
      this._room.changed();
    }
  }
}

/**
 * Return the code and the sentence of a request that failed.
 *
 * @param {unknown} error
 */
export function refusal(error) {
  const code = error instanceof Object && "code" in error ? String(error.code) : "";
  return { code, sentence: sentenceOf(error) };
}
