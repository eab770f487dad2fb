// Timers that also run while the page is hidden.
//
// Browsers delay the timers of hidden pages by up to a minute, but not those of workers. A player
// whose page is hidden would otherwise be silent for too long. So a worker keeps the time; without
// one, the page does it itself.

import { address } from "../address.js";

/**
 * What a connection needs to know of time. `now` is in seconds, by a clock that never goes back;
 * `date` is the time of day in seconds, which also passes while the computer sleeps. `after` calls
 * a function once, `every` again and again; both return a function that stops this.
 * @typedef {object} Timers
 * @property {() => number} now
 * @property {() => number} date
 * @property {(seconds: number, call: () => void) => () => void} after
 * @property {(seconds: number, call: () => void) => () => void} every
 */

/** @typedef {{ms: number, repeats: boolean, call: () => void}} Alarm */

function startWorker() {
  return new Worker(address("net/ticks.js"), { type: "module" });
}

/** @type {BrowserTimers | null} */
let shared = null;

/** Return the timers that all connections of this page share, since each has a worker. */
export function browserTimers() {
  shared ??= new BrowserTimers();
  return shared;
}

/** Timers of the browser. */
export class BrowserTimers {
  /** @type {Map<number, Alarm>} */
  #alarms = new Map();
  #lastId = 0;
  /** @type {Worker | null} */
  #worker = null;

  /** @param {() => Worker} start starts ticks.js; it may throw */
  constructor(start = startWorker) {
    try {
      this.#worker = start();
      this.#worker.onmessage = ({ data }) => this.#ring(data);
      this.#worker.onerror = () => this.#goOn();
    } catch {
      this.#worker = null; // this browser has no workers for modules
    }
  }

  now = () => performance.now() / 1000;

  date = () => Date.now() / 1000;

  /**
   * @param {number} seconds
   * @param {() => void} call
   */
  after = (seconds, call) => this.#set({ ms: seconds * 1000, repeats: false, call });

  /**
   * @param {number} seconds
   * @param {() => void} call
   */
  every = (seconds, call) => this.#set({ ms: seconds * 1000, repeats: true, call });

  /** @param {Alarm} alarm */
  #set(alarm) {
    const id = ++this.#lastId;
    this.#alarms.set(id, alarm);
    this.#arm(id, alarm.ms);
    return () => void this.#alarms.delete(id);
  }

  /**
   * @param {number} id
   * @param {number} ms
   */
  #arm(id, ms) {
    if (this.#worker === null) setTimeout(() => this.#ring(id), ms);
    else this.#worker.postMessage({ id, ms });
  }

  /** @param {number} id */
  #ring(id) {
    const alarm = this.#alarms.get(id);
    if (!alarm) return;
    if (alarm.repeats) this.#arm(id, alarm.ms);
    else this.#alarms.delete(id);
    alarm.call();
  }

  /** Keep the time in the page, because the worker does not run. */
  #goOn() {
    this.#worker?.terminate();
    this.#worker = null;
    for (const [id, alarm] of this.#alarms) this.#arm(id, alarm.ms);
  }
}
