// Let one tab of this browser have the connection, because the server allows one for each player.
//
// Theory of operation
// -------------------
// The tab that holds a lock has the connection. The others wait for the lock, so when its holder is
// closed or crashes, the next one gets it. A tab at which a person looks also asks the holder on a
// channel. A holder that does not need the connection gives it up, and the asking tab takes the lock
// from it; a holder that needs it says which match is played there. A holder that does not answer is
// frozen or hangs, and loses the lock. All tabs that wait check this from time to time.
//
// Any tab can take the lock from any other one, which then waits again.

import { BASE } from "../address.js";

/**
 * @import { Timers } from "./timers.js"
 */

/** How long a holder may take to answer, in seconds, before the asking tab takes the connection. */
export const ANSWER_S = 3;
/** How often a tab that waits checks that the holder still runs, in seconds. */
export const CHECK_S = 10;
/**
 * How long a tab that did not ask just now waits before it uses the connection, in seconds. While a page
 * is loaded again, its lock is free for a moment.
 */
export const RELOAD_S = 1.5;

const LOCK = `connection${BASE}`;

/**
 * A running match of this player: its room, and the name of the opponent.
 * @typedef {{room: string, name: string}} Match
 *
 * What a tab asks or answers. `check`: an answer is enough. `here`: this tab has the connection now.
 * @typedef {{type: "ask" | "check" | "here" | "keep" | "give", from: string, to?: string,
 *   match?: Match | null}} Message
 *
 * The part of a `BroadcastChannel` that tabs use.
 * @typedef {{postMessage(message: Message): void, onmessage: ((event: {data: Message}) => void) | null}} Channel
 *
 * The part of `navigator.locks` that tabs use.
 * @typedef {{request(name: string, options: {signal?: AbortSignal, steal?: boolean},
 *   run: () => Promise<void> | undefined): Promise<unknown>}} Locks
 *
 * What the page does. `use` says whether the page needs the connection if it has it, and its match.
 * @typedef {object} Owner
 * @property {() => boolean} visible whether a person can see this tab
 * @property {() => {needed: boolean, match: Match | null}} use
 * @property {() => void} begin this tab has the connection now
 * @property {(match: Match | null) => void} stop another tab has it, and plays this match
 */

/** This tab among the tabs of this browser that show the same server. */
export class Tabs {
  #id;
  #owner;
  #locks;
  #channel;
  #timers;
  #holds = false;
  /** Whether the page uses the connection. */
  #begun = false;
  /** Gives up the lock, or the place among those who wait for it. @type {(() => void) | null} */
  #leave = null;
  #stopBeginning = () => {};
  #stopChecks = () => {};
  #stopPatience = () => {};
  /** @type {{answer: Promise<boolean>, settle: (holds: boolean) => void} | null} */
  #asking = null;

  /**
   * @param {string} id - of this tab, another one for each
   * @param {Owner} owner
   * @param {{locks: Locks, channel: Channel, timers: Timers}} parts
   */
  constructor(id, owner, { locks, channel, timers }) {
    this.#id = id;
    this.#owner = owner;
    this.#locks = locks;
    this.#channel = channel;
    this.#timers = timers;
    channel.onmessage = ({ data }) => this.#hear(data);
  }

  /**
   * Ask for the connection, and resolve with whether it is here now. A tab that nobody sees only waits
   * for it; ask again when it is seen.
   * @returns {Promise<boolean>}
   */
  ask() {
    if (this.#holds) {
      this.#begin();
      return Promise.resolve(true);
    }
    if (this.#asking === null) {
      let settle = (/** @type {boolean} */ _) => {};
      const answer = new Promise((/** @type {typeof settle} */ resolve) => (settle = resolve));
      this.#asking = { answer, settle };
    }
    const { answer } = this.#asking;
    this.#put();
    if (this.#leave === null) this.#request();
    return answer;
  }

  /** Take the connection, also from a tab that needs it. */
  take() {
    if (this.#holds) this.#begin();
    else this.#request({ steal: true });
  }

  /** Let another tab have the connection while this page is frozen, or because it is being closed. */
  leave() {
    this.#settle(false);
    this.#stopBeginning();
    this.#stopChecks();
    this.#leave?.();
    this.#leave = null;
    this.#holds = this.#begun = false;
  }

  // -- inner steps -------------------------------------------------------------------------------

  #request({ steal = false } = {}) {
    this.#leave?.();
    this.#stopChecks();
    this.#stopChecks = this.#timers.every(CHECK_S, () => this.#holds || this.#expect("check"));
    const place = new AbortController();
    let release = () => {};
    this.#leave = () => {
      place.abort();
      release();
    };
    const run = () => {
      if (place.signal.aborted) return;
      this.#hold({ now: steal });
      return new Promise((/** @type {(none: void) => void} */ resolve) => (release = resolve));
    };
    this.#locks.request(LOCK, steal ? { steal } : { signal: place.signal }, run).catch(() => {
      if (place.signal.aborted) return;
      // A lock that was never held cannot be lost: this browser refuses locks.
      if (this.#holds) this.#lose();
      else this.#hold({ now: true });
    });
  }

  /** @param {{now: boolean}} how - `now`: use the connection at once */
  #hold({ now }) {
    this.#holds = true;
    this.#stopChecks();
    this.#stopPatience();
    this.#say({ type: "here", from: this.#id });
    if (now || (this.#asking !== null && this.#owner.visible())) this.#begin();
    else this.#stopBeginning = this.#timers.after(RELOAD_S, () => this.#begin());
  }

  #begin() {
    this.#stopBeginning();
    if (!this.#begun) this.#owner.begin();
    this.#begun = true;
    this.#settle(true);
  }

  #lose() {
    const { match } = this.#owner.use();
    this.leave();
    this.#request();
    this.#owner.stop(match);
  }

  /** @param {boolean} holds */
  #settle(holds) {
    this.#stopPatience();
    this.#asking?.settle(holds);
    this.#asking = null;
  }

  /** Put the question to the holder, if there is one. */
  #put() {
    if (this.#asking !== null && this.#owner.visible()) this.#expect("ask");
  }

  /** @param {"ask" | "check"} type */
  #expect(type) {
    this.#stopPatience();
    this.#stopPatience = this.#timers.after(ANSWER_S, () => this.take());
    this.#say({ type, from: this.#id });
  }

  /** @param {Message} message */
  #say(message) {
    this.#channel.postMessage(message);
  }

  /** @param {Message} message */
  #hear({ type, from, to, match = null }) {
    if ((type === "ask" || type === "check") && this.#holds) {
      const use = this.#owner.use();
      const needed = type === "check" || (this.#begun && use.needed);
      this.#say({ type: needed ? "keep" : "give", from: this.#id, to: from, match: use.match });
    } else if (type === "here") {
      this.#stopPatience();
      this.#put(); // the new holder has not heard the question
    } else if (to === this.#id && !this.#holds) {
      if (type === "give") return this.take();
      this.#settle(false);
      this.#owner.stop(match);
    }
  }
}
