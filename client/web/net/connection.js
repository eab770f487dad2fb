// Run one websocket: say hello, read messages, send queued requests and pings.
//
// Theory of operation
// -------------------
// A connection opens its socket at once and says hello. Its owner decides what the welcome means
// and then calls `begin`. From then on the connection sends the requests of the queue within the
// server's rate limit, and pings at intervals. The pings keep the server from closing a silent
// connection. When the server leaves one of them unanswered for too long, the connection breaks.
//
// A tick that comes much too late shows that the computer slept. The connection is then checked:
// the server must send something within a few seconds. The browser's own events (online, page shown
// again) lead to the same check.

import { told, tr } from "../texts.js";
import { readMessage } from "../core/messages.js";
import { RequestPacer } from "../core/pacing.js";
import { TIMER_SLACK_S } from "../core/requests.js";

/**
 * @import { Failed, Welcome } from "../core/messages.js"
 * @import { RequestQueue } from "../core/requests.js"
 * @import { Update } from "../core/updates.js"
 * @import { Hello } from "../types/wire"
 * @import { Timers } from "./timers.js"
 */

/** The state of a websocket that is open. */
const OPEN = 1;
/** The websocket subprotocol. `app/early.js` names it too. */
export const JSON_PROTOCOL = "doublecross.v1.json";
/** How long an attempt to connect may take, in seconds, the welcome included. */
export const CONNECT_S = 10;
/** The longest interval of pings in seconds; shorter if half of the server's silence limit is. */
export const PING_S = 10;
/** How long the server may leave a ping unanswered, in seconds. */
export const SILENCE_S = 20;
/** How long the server may be silent in a check, in seconds. */
export const CHECK_S = 4;
/** How much too late a tick comes, in seconds, when the computer probably slept. */
export const LATE_S = 5;

/**
 * Why a connection is over: the close code of the server, or null when the connection broke.
 * @typedef {{code: number | null, reason: string}} Over
 */

/**
 * What the owner of a connection does about it. `welcomed` must call `begin`.
 * @typedef {object} Owner
 * @property {(welcome: Welcome) => void} welcomed
 * @property {(refusal: Failed) => void} refused the server refused the hello
 * @property {(updates: Update[]) => void} changed something changed; the queue may have answers
 * @property {(over: Over) => void} over called once, and never after `abandon`
 */

/** One websocket, from its opening to its end. */
export class Connection {
  /** @type {WebSocket | null} */
  #socket;
  #owner;
  #timers;
  #hello;
  /** @type {RequestQueue | null} */
  #queue = null;
  #pacer = new RequestPacer(0, 0);
  #mostBytes = Infinity;
  /** @type {() => void} */
  #stopDeadline;
  #stopTicks = () => {};
  #stopWake = () => {};
  #stopCheck = () => {};
  /** When the last tick came, by the date. */
  #tickedAt = 0;
  #checking = false;
  /** The reason that the server has sent before it closes the connection. */
  #farewell = "";

  /**
   * @param {string} url
   * @param {Hello} hello
   * @param {Owner} owner
   * @param {Timers} timers
   * @param {typeof WebSocket} WebSocketClass
   */
  constructor(url, hello, owner, timers, WebSocketClass) {
    this.#owner = owner;
    this.#timers = timers;
    this.#hello = hello;
    this.#socket = new WebSocketClass(url, [JSON_PROTOCOL]);
    const greet = () => this.#socket?.send(JSON.stringify(hello));
    // A socket that was opened earlier tells nobody any more.
    if (this.#socket.readyState === OPEN) greet();
    else this.#socket.onopen = greet;
    this.#socket.onmessage = ({ data }) => this.#take(data);
    this.#socket.onclose = ({ code, reason }) => this.#end({ code, reason: this.#farewell || tr(reason) });
    this.#stopDeadline = timers.after(CONNECT_S, () => this.break());
  }

  /**
   * Start to send the requests of `queue`, after the welcome.
   * @param {RequestQueue} queue
   * @param {Welcome["limits"]} limits
   */
  begin(queue, limits) {
    this.#stopDeadline();
    this.#queue = queue;
    // A tenth below the limit, because the two clocks and the network are not exact.
    this.#pacer = new RequestPacer(limits.messages_per_s * 0.9, this.#timers.now());
    this.#mostBytes = limits.frame_bytes;
    queue.begin();
    // The wire allows a limit of 0, which must not become an interval of 0.
    const interval = Math.min(PING_S, limits.silence_ms / 2000 || PING_S);
    this.#tickedAt = this.#timers.date();
    this.#stopTicks = this.#timers.every(interval, () => this.#tick(interval));
    this.flush();
  }

  /** Send the requests that are due, within the server's rate limit. */
  flush() {
    const queue = this.#queue;
    if (queue === null) return;
    this.#stopWake();
    /** @type {number | null} */
    let wait = 0;
    while (wait === 0) {
      const now = this.#timers.now();
      wait = queue.waitS(now);
      if (wait === 0) wait = this.#pacer.delay(now);
      if (wait !== null && wait < TIMER_SLACK_S) wait = 0;
      const request = wait === 0 ? queue.nextToSend(now) : null;
      if (request === null) continue;
      const text = JSON.stringify(request);
      const size = new TextEncoder().encode(text).length;
      if (size > this.#mostBytes) {
        // The server would end the connection, and get the same again after a reconnect.
        const message = tr("The request has {size} bytes, but the server takes up to {most}.", { size, most: this.#mostBytes });
        queue.receive({ type: "error", id: request.id, code: "bad_message", message, phrase: null }, now);
        continue;
      }
      this.#pacer.spend(now);
      this.#socket?.send(text);
    }
    this.#stopWake = wait === null ? () => {} : this.#timers.after(wait, () => this.flush());
    this.#owner.changed([]); // the queue may have found answers in the mirrors
  }

  /** Break the connection unless the server sends something within a few seconds. */
  check() {
    if (this.#queue === null || this.#checking) return;
    this.#checking = true;
    this.#stopCheck = this.#timers.after(CHECK_S, () => this.break());
    this.#queue.ping();
    this.flush();
  }

  /** Break the connection, because the server does not answer. */
  break() {
    this.#end({ code: null, reason: "" });
  }

  /** Close the connection without a word to the owner. */
  abandon() {
    this.#stopDeadline();
    this.#stopTicks();
    this.#stopWake();
    this.#stopCheck();
    this.#queue?.end();
    this.#queue = null;
    const socket = this.#socket;
    this.#socket = null;
    if (socket === null) return;
    // The closing handshake may take long, and nobody waits for it.
    socket.onopen = socket.onmessage = socket.onclose = null;
    socket.close();
  }

  // -- inner steps -------------------------------------------------------------------------------

  /** @param {Over} over */
  #end(over) {
    if (this.#socket === null) return;
    this.abandon();
    this.#owner.over(over);
  }

  /** @param {unknown} data */
  #take(data) {
    const read = readMessage(data);
    if (read && "message" in read && read.message.type === "error") {
      const failed = read.message;
      failed.message = told(failed.message, failed.phrase);
      if (failed.code === "ended") this.#farewell = failed.message;
    }
    if (this.#queue === null) return this.#greet(read);
    this.#checking = false;
    this.#stopCheck();
    if (read === null) return;
    const now = this.#timers.now();
    const updates =
      "message" in read
        ? this.#queue.receive(read.message, now)
        : this.#queue.receiveUnreadable(read.unreadable, now);
    this.flush();
    if (updates.length > 0) this.#owner.changed(updates);
  }

  /**
   * Take a message that came before the welcome was handled.
   * @param {ReturnType<typeof readMessage>} read
   */
  #greet(read) {
    if (read === null || !("message" in read)) return;
    const { message } = read;
    if (message.type === "welcome" && message.id === this.#hello.id) {
      this.#owner.welcomed(message);
    } else if (message.type === "error" && (message.id ?? this.#hello.id) === this.#hello.id) {
      // An error without an id can only concern the hello, the only message so far.
      this.abandon();
      this.#owner.refused(message);
    }
  }

  /** @param {number} interval */
  #tick(interval) {
    const { now, date } = this.#timers;
    const late = date() - this.#tickedAt - interval;
    this.#tickedAt = date();
    if (late > LATE_S) {
      // The clock of `now` may have stood still meanwhile.
      this.#queue?.refresh();
      this.flush();
      return this.check();
    }
    const since = this.#queue?.unansweredSince ?? null;
    if (since !== null && now() - since > SILENCE_S) return this.break();
    this.#queue?.ping();
    this.flush();
  }
}
