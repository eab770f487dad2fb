// Let a promise wait for the answer to each request, with a deadline.

import { RequestRefused, RequestTimeout } from "../core/errors.js";
import { tr } from "../texts.js";
import { LATE_S } from "./connection.js";

/**
 * @import { ServerMessage } from "../core/messages.js"
 * @import { Timers } from "./timers.js"
 */

/** How much longer a request waits when the computer slept meanwhile, in seconds. */
export const AWAKE_S = 20;

/**
 * @typedef {object} Waiter
 * @property {(answer: ServerMessage) => void} resolve
 * @property {(error: Error) => void} reject
 * @property {() => void} stop stops its timer
 */

/** Those who wait for answers, by the ids of their requests. */
export class Waiters {
  /** @type {Map<number, Waiter>} */
  #waiters = new Map();
  #timers;
  #drop;

  /**
   * @param {Timers} timers
   * @param {(id: number) => void} drop called when nobody waits for an answer any more
   */
  constructor(timers, drop) {
    this.#timers = timers;
    this.#drop = drop;
  }

  /**
   * Return the answer to a request. Rejects with RequestRefused when it is an error, and with
   * RequestTimeout when none comes in `timeoutS` seconds.
   * @param {number} id
   * @param {number} timeoutS
   * @returns {Promise<ServerMessage>}
   */
  wait(id, timeoutS) {
    return new Promise((resolve, reject) => {
      this.#waiters.set(id, { resolve, reject, stop: this.#expire(id, timeoutS) });
    });
  }

  /**
   * Deliver an answer.
   * @param {number} id
   * @param {ServerMessage} answer
   */
  deliver(id, answer) {
    const waiter = this.#take(id);
    if (answer.type === "error") waiter?.reject(new RequestRefused(answer.code, answer.message));
    else waiter?.resolve(answer);
  }

  /** Whether nobody waits. */
  get idle() {
    return this.#waiters.size === 0;
  }

  /**
   * Let all that wait fail.
   * @param {() => Error} makeError
   */
  failAll(makeError) {
    for (const id of [...this.#waiters.keys()]) this.#take(id)?.reject(makeError());
  }

  /**
   * Let a request fail after some time. Return a function that stops this.
   * @param {number} id
   * @param {number} timeoutS
   * @returns {() => void}
   */
  #expire(id, timeoutS) {
    const due = this.#timers.date() + timeoutS;
    let stop = this.#timers.after(timeoutS, () => {
      if (this.#timers.date() - due > LATE_S) {
        // While the computer slept, nothing could come. Now there is time to connect again.
        stop = this.#expire(id, AWAKE_S);
      } else {
        this.#take(id)?.reject(new RequestTimeout(tr("The server did not answer in time. Try again.")));
      }
    });
    return () => stop();
  }

  /**
   * Return who waits for the answer to a request, and forget the request.
   * @param {number} id
   */
  #take(id) {
    const waiter = this.#waiters.get(id);
    waiter?.stop();
    this.#waiters.delete(id);
    this.#drop(id);
    return waiter;
  }
}
