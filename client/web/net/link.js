// Connect to the server, reconnect when the connection breaks, and answer every request once.
//
// Theory of operation
// -------------------
// One connection serves at a time (`connection.js`). When it breaks, the link reconnects after a
// random delay, which grows with each failed attempt. A request stays in the queue of
// `core/requests.js` until its answer arrives, even when connections break meanwhile. A promise
// waits for each answer.
//
// The nodes of a cluster form one server, and the welcome names their addresses. When a connection
// breaks, the link tries the other nodes first, in random order, all of them between two delays. It
// never goes from an encrypted address to one that is not.
//
// A page reads `session`, which shows the state after the last message. `onUpdates` names what
// changed.

import { LinkEnded, RequestRefused } from "../core/errors.js";
import { reconnectDelay } from "../core/pacing.js";
import { RequestQueue } from "../core/requests.js";
import { RETRIED } from "../core/resend.js";
import { Session } from "../core/session.js";
import { tr } from "../texts.js";
import { Connection } from "./connection.js";
import { newPlayer } from "./identity.js";
import { browserTimers } from "./timers.js";
import { Waiters } from "./waiters.js";

/**
 * @import { Failed, NewRequest, ServerMessage, Welcome } from "../core/messages.js"
 * @import { Update } from "../core/updates.js"
 * @import { Over } from "./connection.js"
 * @import { Credentials, Identity } from "./identity.js"
 * @import { Timers } from "./timers.js"
 */

/** The version of the protocol that this page speaks. */
export const PROTOCOL_VERSION = 2;
/** The most requests without an answer; the link refuses a further one. */
export const MAX_PENDING = 4096;
/** A connection that lasted this long, in seconds, resets the delay to the shortest one. */
export const STABLE_S = 1;
/** How long a request waits for its answer, in seconds, if the caller does not say. */
export const REQUEST_S = 120;

/** The refusals of a hello that another one of the same browser may not get. */
const AS_ANOTHER = new Set(["bad_token", "token_expired", "name_taken"]);

const LOST = tr("The connection to the server was lost.");
const CLOSED = tr("This connection was closed.");

/**
 * Why a link has ended. `replaced`: this player has too many connections.
 * `outdated`: the server speaks a newer protocol than this page. `refused`: the server refuses this
 * page, or has disconnected it. `revoked`: the player's token has ended, or an admin has ended the
 * connection. `closed`: the page closed the link.
 * @typedef {"replaced" | "outdated" | "refused" | "revoked" | "closed"} Ending
 */

/**
 * The close codes after which a page does not reconnect by itself.
 * @type {Map<number | null, {why: Ending, sentence: string}>}
 */
const ENDINGS = new Map([
  [4001, { why: "replaced", sentence: tr("You have too many pages and programs connected, so this page was disconnected.") }],
  [4002, { why: "refused", sentence: tr("The server refused this page.") }],
  [4003, { why: "refused", sentence: tr("The server disconnected this page for too many messages.") }],
  [4005, { why: "revoked", sentence: tr("The server has ended this login.") }],
]);

/**
 * @typedef {object} Options
 * @property {string} url the address of the websocket
 * @property {Identity} identity who plays; see identity.js
 * @property {(updates: Update[]) => void} [onUpdates] called after each change
 * @property {string | null} [page] the version of this page; see `welcome.page`
 * @property {(version: string | null) => void} [onOutdated] the server has another version of this
 *   page, or null: speaks another protocol
 * @property {() => number} [random] returns numbers from 0 to below 1
 * @property {Timers} [timers]
 * @property {typeof globalThis.WebSocket} [WebSocket]
 */

/**
 * A player's link to the server.
 *
 * `state` is `nameless` until somebody calls `signIn`, `connecting`, `connected`, `lost` while it
 * waits for the next attempt, or `ended`; then `ending` says why. `sentence` explains the state to
 * people, or is empty. `nextTryAt` is when the next attempt is due, in seconds of `timers.now`.
 * `session` mirrors the server; another player gets a new one.
 */
export class Link {
  /** @type {"nameless" | "connecting" | "connected" | "lost" | "ended"} */
  state = "nameless";
  sentence = "";
  /** @type {Ending | null} */
  ending = null;
  /** @type {number | null} */
  nextTryAt = null;
  session = new Session();
  #queue;
  #waiters;
  /** @type {Connection | null} */
  #connection = null;
  /** @type {Credentials | null} */
  #newcomer = null;
  /** What the last hello said. @type {Credentials | null} */
  #said = null;
  /** @type {{resolve: (welcome: Welcome) => void, reject: (error: Error) => void} | null} */
  #signingIn = null;
  #attempt = 0;
  #welcomedAt = 0;
  /** The addresses of the server, of which the first is in use or the next to try. */
  #urls;
  /** How many tries have failed since the last welcome. */
  #failed = 0;
  #stopWaiting = () => {};
  #options;

  /** @param {Options} options */
  constructor(options) {
    this.#options = {
      onUpdates: () => {},
      onOutdated: () => {},
      page: null,
      random: Math.random,
      timers: options.timers ?? browserTimers(),
      WebSocket: globalThis.WebSocket,
      ...options,
    };
    this.#urls = [options.url];
    this.#queue = new RequestQueue(this.session, this.#options.random);
    this.#waiters = new Waiters(this.#options.timers, (id) => this.#queue.drop(id));
  }

  // -- life --------------------------------------------------------------------------------------

  /** Connect as the player of the identity; without one, wait for `signIn`. */
  start() {
    if (this.state === "nameless") this.#connect();
  }

  /**
   * Join as a new player, and resolve with the welcome. Reject with RequestRefused when the name is
   * taken or not allowed; an earlier player then stays.
   * @param {string} name
   * @returns {Promise<Welcome>}
   */
  signIn(name) {
    return this.enter(newPlayer(name));
  }

  /**
   * Join as the player of these credentials, and resolve with the welcome. Reject with
   * RequestRefused when the server refuses them; an earlier player then stays.
   * @param {Credentials} credentials
   * @returns {Promise<Welcome>}
   */
  enter(credentials) {
    this.#signingIn?.reject(new LinkEnded(tr("Another name was chosen.")));
    return new Promise((resolve, reject) => {
      this.#signingIn = { resolve, reject };
      this.#newcomer = credentials;
      this.#attempt = 0;
      this.#connect();
    });
  }

  /** Disconnect, forget what belonged to the player, and wait for another one. */
  leave() {
    this.#stopWaiting();
    this.#connection?.abandon();
    this.#connection = null;
    this.#renew(tr("You have logged out."));
    this.#become("nameless");
  }

  /** Connect again after the link has ended, for example because there were too many connections. */
  takeOver() {
    if (this.state !== "ended" || this.ending === "closed") return;
    this.#options.identity.reload();
    this.#attempt = 0;
    this.#connect();
  }

  /** Disconnect until the next `check`, while the browser may keep the page for the back button. */
  rest() {
    if (this.state === "nameless" || this.state === "ended") return;
    this.#stopWaiting();
    this.#connection?.abandon();
    this.#connection = null;
    this.#become("lost", LOST);
  }

  /** Try to connect now instead of at `nextTryAt`. */
  retryNow() {
    if (this.state === "lost") this.#connect();
  }

  /** Find out soon whether the connection still works; without one, try to connect now. */
  check() {
    this.retryNow();
    this.#connection?.check();
  }

  /** End the link for good; requests without an answer fail with LinkEnded. */
  close() {
    this.#end("closed", CLOSED);
  }

  // -- requests ----------------------------------------------------------------------------------

  /**
   * Send a request and return its answer. Wait across reconnects.
   *
   * Rejects with RequestRefused when the server refused, RequestTimeout when no answer came in
   * `timeoutS` seconds, and LinkEnded when the link is over.
   * @param {NewRequest} message
   * @param {number} timeoutS
   * @returns {Promise<ServerMessage>}
   */
  request(message, timeoutS = REQUEST_S) {
    if (this.state === "ended") return Promise.reject(new LinkEnded(this.sentence));
    if (this.#queue.pending.size >= MAX_PENDING) {
      const sentence = tr("Too many requests wait for an answer. Try again later.");
      return Promise.reject(new RequestRefused("too_many", sentence));
    }
    const answer = this.#waiters.wait(this.#queue.add(message).id, timeoutS);
    this.#connection?.flush();
    return answer;
  }

  /** Whether every request has been answered. */
  get idle() {
    return this.#waiters.idle;
  }

  // -- the connection ----------------------------------------------------------------------------

  #connect() {
    const { identity, timers, WebSocket } = this.#options;
    this.#stopWaiting();
    this.#connection?.abandon();
    this.#connection = null;
    const credentials = this.#newcomer ?? identity.credentials;
    if (credentials === null) return this.#become("nameless");
    this.#said = credentials;
    this.#connection = new Connection(
      this.#urls[0],
      {
        type: "hello",
        // Ids are never reused, so each hello needs a new one.
        id: this.#queue.newId(),
        protocol: PROTOCOL_VERSION,
        kind: "human",
        client: "web",
        boards: true,
        takebacks: true,
        ...credentials,
      },
      {
        welcomed: (welcome) => this.#welcomed(welcome),
        refused: (refusal) => this.#refused(refusal),
        changed: (updates) => this.#changed(updates),
        over: (over) => this.#over(over),
      },
      timers,
      WebSocket,
    );
    this.#become("connecting", this.state === "lost" ? this.sentence : "");
  }

  /** @param {Welcome} welcome */
  #welcomed(welcome) {
    const { url, identity, page, onOutdated, timers, random } = this.#options;
    const before = this.session.player;
    if (before !== null && before.name !== welcome.player.name) {
      this.#renew(tr("You now play under another name."));
    }
    identity.keep(welcome.player.name, welcome.token);
    this.#newcomer = null;
    this.#welcomedAt = timers.now();
    this.#failed = -1; // the break comes first
    const [current] = this.#urls;
    const safe = [url, ...(welcome.servers ?? [])].filter((each) => each.split(":")[0] === url.split(":")[0]);
    this.#urls = [current, ...safe.filter((each) => each !== current).sort(() => random() - 0.5)];
    const updates = this.session.receive(welcome, this.#welcomedAt);
    this.#connection?.begin(this.#queue, welcome.limits);
    this.#signingIn?.resolve(welcome);
    this.#signingIn = null;
    this.#become("connected");
    this.#changed(updates);
    // A page of another node has its files there, where this page cannot load them.
    if (current === url && page !== null && welcome.page !== null && welcome.page !== page) onOutdated(welcome.page);
  }

  /** @param {Failed} refusal */
  #refused({ code, message }) {
    const { identity, onOutdated } = this.#options;
    if (RETRIED.has(code)) return this.#wait(message);
    if (code === "unsupported_version") {
      this.#end("outdated", tr("The server was updated. Reload the page."));
      return onOutdated(null);
    }
    const waiter = this.#signingIn;
    if (this.#newcomer !== null) {
      this.#newcomer = this.#signingIn = null;
      waiter?.reject(new RequestRefused(code, message));
      return this.#connect(); // as the player from before, if there was one
    }
    if (AS_ANOTHER.has(code) && this.#changedMeanwhile()) return this.#connect();
    if (code === "token_expired" || (code === "bad_token" && identity.account)) {
      identity.forget();
      this.#become("nameless");
      return this.#changed([{ kind: "loginEnded" }]);
    }
    if (code === "bad_token") {
      identity.forgetToken();
      const sentence = tr("The server does not know this player any more, so you join as a new one.");
      this.#connect();
      return this.#changed([{ kind: "playerForgotten", sentence }]);
    }
    if (code === "name_taken") {
      identity.forget();
      return this.#become("nameless", message);
    }
    this.#end("refused", message);
  }

  /** Read the identity again; return whether another tab has joined or logged in since the hello. */
  #changedMeanwhile() {
    const { identity } = this.#options;
    identity.reload();
    const now = identity.credentials;
    return now !== null && (now.token !== this.#said?.token || now.key !== this.#said.key);
  }

  /** @param {Over} over */
  #over({ code, reason }) {
    const found = ENDINGS.get(code);
    if (found) {
      return this.#end(found.why, ((code === 4002 || code === 4005) && reason) || found.sentence);
    }
    const stable = this.#options.timers.now() - this.#welcomedAt >= STABLE_S;
    if (this.state === "connected" && stable) this.#attempt = 0;
    this.#wait(this.session.welcome === null ? tr("The server does not answer.") : LOST);
  }

  /**
   * Begin a new session; requests of the old one fail with this sentence.
   * @param {string} sentence
   */
  #renew(sentence) {
    this.#waiters.failAll(() => new LinkEnded(sentence));
    this.session = new Session();
    this.#queue = new RequestQueue(this.session, this.#options.random);
  }

  /**
   * Go to the next address, and wait before the next attempt to connect if all have been tried.
   * @param {string} sentence
   */
  #wait(sentence) {
    const { timers, random } = this.#options;
    this.#urls.push(...this.#urls.splice(0, 1));
    const delay = ++this.#failed % this.#urls.length ? 0 : reconnectDelay(this.#attempt++, random);
    this.#connection = null;
    this.#become("lost", sentence, timers.now() + delay);
    this.#stopWaiting = timers.after(delay, () => this.#connect());
  }

  /** @param {Update[]} updates */
  #changed(updates) {
    for (const [id, answer] of this.#queue.takeAnswers()) this.#waiters.deliver(id, answer);
    if (updates.some((update) => update.kind === "closing")) {
      this.sentence = tr("The server is shutting down. You will be connected again when it runs.");
      updates = [...updates, { kind: "link" }];
    }
    if (updates.length > 0) this.#options.onUpdates(updates);
  }

  /**
   * @param {Ending} why
   * @param {string} sentence
   */
  #end(why, sentence) {
    if (this.state === "ended" && why !== "closed") return;
    this.#stopWaiting();
    this.#connection?.abandon();
    this.#connection = null;
    this.ending = why;
    this.#newcomer = null;
    this.#signingIn?.reject(new LinkEnded(sentence));
    this.#signingIn = null;
    this.#waiters.failAll(() => new LinkEnded(sentence));
    this.#become("ended", sentence);
  }

  /**
   * @param {Link["state"]} state
   * @param {string} sentence
   * @param {number | null} nextTryAt
   */
  #become(state, sentence = "", nextTryAt = null) {
    this.state = state;
    this.sentence = sentence;
    this.nextTryAt = nextTryAt;
    if (state !== "ended") this.ending = null;
    this.#options.onUpdates([{ kind: "link" }]);
  }
}
