// Keep small values in the browser; in memory only where the browser denies storage.

import { BASE } from "../address.js";

/** Servers below other paths of the same site keep values of their own. */
const PREFIX = `doublecross${BASE}.`;

export class Storage {
  /** @type {Map<string, unknown>} */
  #memory = new Map();
  /** @type {globalThis.Storage | null} */
  #kept;
  /** Called with the key after each change. @type {(key: string) => void} */
  onSet = () => {};
  #window;

  /**
   * @param {() => globalThis.Storage} open - may throw, as `localStorage` does when it is denied
   * @param {Pick<EventTarget, "addEventListener"> | null} [window] - tells of changes in other tabs
   */
  constructor(open, window = null) {
    this.#kept = opened(open);
    this.#window = window;
  }

  /**
   * Call `listener` whenever another tab has changed the value of `key`.
   * @param {string} key
   * @param {() => void} listener
   */
  follow(key, listener) {
    this.#window?.addEventListener("storage", (event) => {
      const changed = /** @type {StorageEvent} */ (event).key; // null: all of them
      if (changed === null || changed === PREFIX + key) listener();
    });
  }

  /**
   * Return the value of `key`, or undefined without a readable one.
   * @param {string} key
   * @returns {unknown}
   */
  get(key) {
    if (this.#memory.has(key)) return this.#memory.get(key);
    try {
      const text = this.#kept?.getItem(PREFIX + key) ?? null;
      return text === null ? undefined : JSON.parse(text);
    } catch {
      return undefined;
    }
  }

  /**
   * Keep `value`; undefined removes it.
   * @param {string} key
   * @param {unknown} value
   */
  set(key, value) {
    this.#set(key, value);
    this.onSet(key);
  }

  /**
   * @param {string} key
   * @param {unknown} value
   */
  #set(key, value) {
    try {
      if (value === undefined) this.#kept?.removeItem(PREFIX + key);
      else this.#kept?.setItem(PREFIX + key, JSON.stringify(value));
      if (this.#kept !== null) {
        this.#memory.delete(key);
        return;
      }
    } catch {
      // The browser's storage is full or denied meanwhile: this visit still works.
    }
    this.#memory.set(key, value);
  }
}

/**
 * @param {() => globalThis.Storage} open
 * @returns {globalThis.Storage | null}
 */
function opened(open) {
  try {
    return open();
  } catch {
    return null;
  }
}
