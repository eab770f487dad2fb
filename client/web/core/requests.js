// Decide when a client's requests are sent, and match the answers to them.
//
// Theory of operation
// -------------------
// A request stays in `pending` until its answer arrives, even when connections break meanwhile.
// `begin` starts a new connection. It first queues the session's own requests (resume the rooms,
// follow the lobby, renew offers) and then every pending request. A request about a room that is
// being resumed is held until the room is up to date. `sendAgain` then decides whether to send it
// again, or finds that the server had already carried it out.
//
// Ids are never reused. A late or repeated answer therefore matches no pending request, and only
// updates the session. A temporary refusal is not an answer: the request is queued again after a
// delay. A temporary refusal without an id may concern any request, so all sent ones are repeated.
//
// This module performs no I/O and never waits. The connection calls `nextToSend` at the time that
// `waitS` returns, sends the result, passes incoming messages to `receive`, and delivers the
// answers from `takeAnswers`.

import { retryDelay } from "./pacing.js";
import { doneBefore, isTemporary, sendAgain } from "./resend.js";
import { isFollowing } from "./rooms.js";

/**
 * @import { ClientMessage, Failed, NewRequest, ServerMessage, Unreadable } from "./messages.js"
 * @import { Session } from "./session.js"
 * @import { Update } from "./updates.js"
 */

/** How much too early a timer may fire, in seconds. */
export const TIMER_SLACK_S = 0.001;

/**
 * After so many refusals of one request the storage of the server is reported as failing. A short
 * failure passes without a word.
 */
export const REPORTED_REFUSALS = 3;

/**
 * A request that has no answer yet.
 *
 * `awaited` is false for requests that the client makes by itself (pings, resumes). `match` is the
 * number of the room's match when the request was made, or null if it concerns no followed room.
 * `stage` is `waiting` for a connection, `queued` to be sent, `held` until its room is up to date,
 * `sent`, or `resting` after a temporary refusal until it is sent again. `sends` counts how often
 * it was sent, `refusals` its temporary refusals. `sentAt` is the time when it was last sent,
 * `retryAt` the time when it is due again, both in seconds.
 * @typedef {object} PendingRequest
 * @property {ClientMessage} request
 * @property {string | null} room
 * @property {boolean} awaited
 * @property {number | null} match
 * @property {"waiting" | "queued" | "held" | "sent" | "resting"} stage
 * @property {number} sends
 * @property {number} refusals
 * @property {number} sentAt
 * @property {number} retryAt
 */

/** The requests of one client. Every `now` is in seconds, by a clock that never goes back. */
export class RequestQueue {
  /** @type {Map<number, PendingRequest>} */
  pending = new Map();
  #session;
  #random;
  #lastId = 0;
  /** @type {PendingRequest[]} */
  #outbox = [];
  /** @type {PendingRequest[]} */
  #resting = [];
  /** @type {[number, ServerMessage][]} */
  #answers = [];
  #connected = false;
  /** @type {Set<string>} */
  #resuming = new Set();
  #storageFailing = false;

  /**
   * @param {Session} session
   * @param {() => number} random draws the delays before a request is sent again
   */
  constructor(session, random) {
    this.#session = session;
    this.#random = random;
  }

  // -- requests ----------------------------------------------------------------------------------

  /** Return an id that no earlier request has. */
  newId() {
    return ++this.#lastId;
  }

  /**
   * Queue a request under a new id; `takeAnswers` returns its answer if `awaited`.
   * @param {NewRequest} unsent
   * @param {boolean} awaited
   * @returns {ClientMessage}
   */
  add(unsent, awaited = true) {
    const request = /** @type {ClientMessage} */ ({ ...unsent, id: this.newId() });
    const room = "room" in request ? request.room : null;
    const mirror = room === null ? null : this.#session.rooms.get(room);
    /** @type {PendingRequest} */
    const pending = {
      request,
      room,
      awaited,
      match: mirror?.match ?? null,
      stage: "waiting",
      sends: 0,
      refusals: 0,
      sentAt: 0,
      retryAt: 0,
    };
    this.#session.noteRequest(request);
    this.pending.set(request.id, pending);
    this.#submit(pending);
    return request;
  }

  /**
   * Remove a request whose answer nobody waits for any more.
   * @param {number} id
   */
  drop(id) {
    this.pending.delete(id);
  }

  /** Queue a ping, unless an earlier one is still unanswered. */
  ping() {
    for (const { request, awaited } of this.pending.values()) {
      // Only the client's own ping counts: a ping of the caller must not replace it.
      if (request.type === "ping" && !awaited) return;
    }
    this.add({ type: "ping" }, false);
  }

  /** Queue requests for the matches in play, because their clocks may be wrong. */
  refresh() {
    this.#session.refresh();
    this.#askWanted();
  }

  /**
   * When the oldest unanswered request of the client itself was sent, in seconds, or null.
   *
   * Requests that were temporarily refused do not count: the refusal was a sign of life.
   */
  get unansweredSince() {
    /** @type {number | null} */
    let oldest = null;
    for (const { awaited, sends, refusals, sentAt } of this.pending.values()) {
      if (awaited || sends === 0 || refusals > 0) continue;
      if (oldest === null || sentAt < oldest) oldest = sentAt;
    }
    return oldest;
  }

  // -- connections -------------------------------------------------------------------------------

  /** Queue all requests for a new connection, which the server has welcomed. */
  begin() {
    // Without this, a second welcome would queue every request twice.
    this.end();
    const others = [...this.pending.values()].filter((pending) => pending.awaited);
    this.pending = new Map(others.map((pending) => [pending.request.id, pending]));
    this.#connected = true;
    // The session asks anew, so the client's own requests of the last connection are dropped.
    this.#askWanted();
    for (const pending of others) this.#submit(pending);
  }

  /** Make all pending requests wait for the next connection. */
  end() {
    this.#connected = false;
    this.#outbox = [];
    this.#resting = [];
    this.#resuming.clear();
    for (const pending of this.pending.values()) pending.stage = "waiting";
  }

  // -- sending -----------------------------------------------------------------------------------

  /**
   * Return the seconds until `nextToSend` has a request, or null when none is queued.
   * @param {number} now
   */
  waitS(now) {
    if (this.#outbox.length > 0) return 0;
    if (this.#resting.length === 0) return null;
    const wait = Math.min(...this.#resting.map((pending) => pending.retryAt - now));
    return wait <= TIMER_SLACK_S ? 0 : wait;
  }

  /**
   * Return a request that is due, and count it as sent; null when none is due.
   * @param {number} now
   * @returns {ClientMessage | null}
   */
  nextToSend(now) {
    const rested = this.#resting.filter((pending) => pending.retryAt - now <= TIMER_SLACK_S);
    this.#resting = this.#resting.filter((pending) => !rested.includes(pending));
    for (const pending of rested) this.#submit(pending);
    for (;;) {
      const pending = this.#outbox.shift();
      if (pending === undefined) return null;
      let { request } = pending;
      if (!this.pending.has(request.id)) continue; // dropped since it was queued
      if (pending.sends > 0) {
        const mirror = pending.room === null ? null : this.#session.rooms.get(pending.room);
        // Decide only now, because the room may have changed since the request was queued.
        const outcome = sendAgain(request, pending.match, mirror ?? null);
        if ("answer" in outcome) {
          this.#settle(pending, outcome.answer);
          continue;
        }
        request = outcome.send;
      }
      pending.stage = "sent";
      pending.sends += 1;
      pending.sentAt = now;
      return request;
    }
  }

  // -- answers -----------------------------------------------------------------------------------

  /** Return the new answers to awaited requests, with their request ids, and forget them. */
  takeAnswers() {
    const answers = this.#answers;
    this.#answers = [];
    return answers;
  }

  /**
   * Apply a server message to the session, and keep it if it answers an awaited request.
   * @param {ServerMessage} message
   * @param {number} now
   * @returns {Update[]}
   */
  receive(message, now) {
    const id = "id" in message ? message.id : null;
    const pending = id === null ? undefined : this.pending.get(id);
    if (message.type === "error") {
      if (isTemporary(pending?.request, message)) {
        this.#rest(id, pending, now);
        return this.#noteStorage(pending, message);
      }
      if (pending && pending.sends > 1) message = doneBefore(pending.request, message) ?? message;
    }
    let updates = this.#session.receive(message, now, pending?.request ?? null);
    // Moves arrive only after their commit.
    const stored = message.type === "move" || (pending !== undefined && pending.refusals > 0);
    if (this.#storageFailing && stored) {
      this.#storageFailing = false;
      updates = [{ kind: "storageRecovered" }, ...updates];
    }
    if (pending) this.#settle(pending, message);
    // Before the release below: a room that needs another resume must keep its requests held.
    if (this.#connected) this.#askWanted();
    if (pending && !pending.awaited) this.#release(pending.request);
    return updates;
  }

  /**
   * Treat an unreadable message as a failure of the request that it answers.
   *
   * An unreadable event needs no treatment: its missing number shows up as a gap in the room.
   * Changes of the lobby have no numbers, so after an unreadable one the whole lobby is asked for.
   * @param {Unreadable} error
   * @param {number} now
   * @returns {Update[]}
   */
  receiveUnreadable({ id, type, sentence }, now) {
    if (type === "lobby_changed") {
      this.#session.refreshLobby();
      this.#askWanted();
    }
    if (id === null || !this.pending.has(id)) return [];
    return this.receive({ type: "error", id, code: "unreadable_answer", message: sentence, phrase: null }, now);
  }

  // -- inner steps -------------------------------------------------------------------------------

  /**
   * Queue a request, or hold it while its room is resumed; without a connection it waits.
   * @param {PendingRequest} pending
   */
  #submit(pending) {
    if (!this.#connected) return;
    if (pending.awaited && pending.room !== null && this.#resuming.has(pending.room)) {
      pending.stage = "held";
    } else {
      pending.stage = "queued";
      this.#outbox.push(pending);
    }
  }

  /** Queue the requests that the session needs. */
  #askWanted() {
    for (const unsent of this.#session.takeWanted()) {
      const request = this.add(unsent, false);
      if (isFollowing(request)) this.#resuming.add(request.room);
    }
  }

  /**
   * @param {PendingRequest} pending
   * @param {ServerMessage} answer
   */
  #settle(pending, answer) {
    this.pending.delete(pending.request.id);
    if (pending.awaited) this.#answers.push([pending.request.id, answer]);
  }

  /**
   * Queue the requests held for a room, once `request` to update it has been answered.
   * @param {ClientMessage} request
   */
  #release(request) {
    if (!isFollowing(request)) return;
    const here = [...this.pending.values()].filter((pending) => pending.room === request.room);
    // Another request for the same room may still be unanswered.
    if (here.some((pending) => !pending.awaited && isFollowing(pending.request))) return;
    this.#resuming.delete(request.room);
    for (const pending of here) if (pending.stage === "held") this.#submit(pending);
  }

  /**
   * Report once that the storage fails, when a request was refused for that often enough.
   * @param {PendingRequest | undefined} pending
   * @param {Failed} failed
   * @returns {Update[]}
   */
  #noteStorage(pending, failed) {
    if (this.#storageFailing || failed.code !== "storage_failed") return [];
    if (pending === undefined || pending.refusals < REPORTED_REFUSALS) return [];
    this.#storageFailing = true;
    return [{ kind: "storageFailing" }];
  }

  /**
   * Schedule a temporarily refused request again; without an id, all sent requests.
   * @param {number | null} id
   * @param {PendingRequest | undefined} pending
   * @param {number} now
   */
  #rest(id, pending, now) {
    const meant = id === null ? [...this.pending.values()] : pending ? [pending] : [];
    for (const each of meant) {
      // A request that already waits is not delayed a second time.
      if (each.stage !== "sent") continue;
      each.stage = "resting";
      each.refusals += 1;
      each.retryAt = now + retryDelay(each.refusals, this.#random);
      this.#resting.push(each);
    }
  }
}
