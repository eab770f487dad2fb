// Stand in for the browser's locks, which exist on encrypted pages and on this machine only.
//
// The holder writes its id and a growing number into the storage, which all tabs share. A lease whose
// number has stood still in several looks has ended. The others count looks, not seconds: after a
// sleep of the computer the holder has as many chances to renew it as they have to look.

/**
 * @import { Locks } from "./tabs.js"
 * @import { Timers } from "./timers.js"
 * @import { Store } from "./identity.js"
 */

/** How often a lease is renewed and looked at, in seconds. */
export const LOOK_S = 1;
/** After how many looks without a change a lease has ended. */
export const MISSED = 4;

/**
 * Leases in a store that has the same values for all tabs.
 * @implements {Locks}
 */
export class Leases {
  #store;
  #timers;
  #id;

  /**
   * @param {Store} store
   * @param {Timers} timers
   * @param {string} id - of this tab
   */
  constructor(store, timers, id) {
    this.#store = store;
    this.#timers = timers;
    this.#id = id;
  }

  /**
   * Run `run` while this tab has the lease. Reject when another tab takes it, or `signal` ends the wait.
   * @param {string} name
   * @param {{signal?: AbortSignal, steal?: boolean}} options
   * @param {() => Promise<void> | undefined} run
   * @returns {Promise<void>}
   */
  request(name, { signal, steal = false }, run) {
    const store = this.#store;
    const key = `lease.${name}`;
    return new Promise((resolve, reject) => {
      let held = false;
      let count = 0;
      let missed = 0;
      let seen = "";
      const stop = this.#timers.every(LOOK_S, () => look());
      const fail = () => {
        stop();
        reject(new DOMException("The lease has ended.", "AbortError"));
      };
      const mine = () => String(store.get(key)).startsWith(`${this.#id} `);
      const renew = () => store.set(key, `${this.#id} ${++count}`);
      const end = () => {
        stop();
        if (mine()) store.set(key, undefined);
        resolve();
      };
      const begin = () => {
        held = true;
        renew();
        void Promise.resolve(run()).then(end);
      };
      const look = () => {
        if (held) return mine() ? renew() : fail();
        const found = String(store.get(key) ?? "");
        missed = found === seen ? missed + 1 : 0;
        seen = found;
        if (found === "" || missed >= MISSED) begin();
      };
      signal?.addEventListener("abort", () => held || fail());
      if (steal) begin();
      else look();
    });
  }
}
