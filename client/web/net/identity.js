// Keep the player's name and token in the browser.

import { newKey } from "./keys.js";

/** @typedef {{get(key: string): unknown, set(key: string, value: unknown): void}} Store */

/**
 * What a hello says about the player: the token of a known one, or the name of a new one with a
 * key. With the same key the same hello can be sent again, if the welcome gets lost.
 * @typedef {{name: string | null, token: string | null, key: string | null}} Credentials
 */

/** Where the store has the identity. */
export const IDENTITY = "identity";

/**
 * The player of this browser; `name` and `token` are null before the first visit.
 *
 * A server's players are its own, and browsers keep the values of each server apart, because each
 * server has a page of its own. Without a store the identity lasts as long as the page.
 */
export class Identity {
  /** @type {string | null} */
  name = null;
  /** @type {string | null} */
  token = null;
  /** @type {string | null} */
  key = null;
  /** Whether the token is the login of an account, so that the name belongs to it for good. */
  account = false;
  /** Whether the page has made up the name, and nobody has agreed to it. */
  guest = false;
  #store;

  /** @param {Store | null} store such as `Storage` of app/storage.js */
  constructor(store = null) {
    this.#store = store;
    this.reload();
  }

  /** Read the store again: another tab may have changed it. */
  reload() {
    if (this.#store === null) return;
    const kept = this.#store.get(IDENTITY);
    /** @type {Partial<Record<string, unknown>>} */
    const { name, token, key, account, guest } = typeof kept === "object" && kept !== null ? kept : {};
    this.name = textOrNull(name);
    this.token = textOrNull(token);
    this.key = textOrNull(key);
    this.account = account === true;
    this.guest = guest === true;
  }

  /**
   * Return what the next hello says, or null while there is no name.
   * @returns {Credentials | null}
   */
  get credentials() {
    if (this.token !== null) return { name: null, token: this.token, key: null };
    if (this.name === null) return null;
    if (this.key === null) {
      this.key = newKey();
      this.#write();
    }
    return { name: this.name, token: null, key: this.key };
  }

  /**
   * Keep the player whom the server has welcomed.
   * @param {string} name
   * @param {string} token
   */
  keep(name, token) {
    if (this.name === name && this.token === token) return;
    if (this.name !== name) this.account = this.guest = false;
    this.name = name;
    this.token = token;
    this.key = null;
    this.#write();
  }

  /** Note that the token is the login of an account. */
  claim() {
    this.account = true;
    this.guest = false;
    this.#write();
  }

  /**
   * Note whether the name is one that the page has made up.
   * @param {boolean} guest
   */
  lend(guest) {
    this.guest = guest;
    this.#write();
  }

  /** Forget the token, which the server does not know any more; the name stays. */
  forgetToken() {
    this.token = this.key = null;
    this.#write();
  }

  /** Forget the name, which belongs to somebody else. */
  forget() {
    this.name = this.token = this.key = null;
    this.account = this.guest = false;
    this.#write();
  }

  #write() {
    const { name, token, key, account, guest } = this;
    const kept = { name, token, key, ...(account && { account }), ...(guest && { guest }) };
    this.#store?.set(IDENTITY, name === null && token === null ? undefined : kept);
  }
}

/**
 * Return what a hello says about a new player.
 * @param {string} name
 * @returns {Credentials}
 */
export function newPlayer(name) {
  return { name, token: null, key: newKey() };
}

/**
 * @param {unknown} value
 * @returns {string | null}
 */
function textOrNull(value) {
  return typeof value === "string" && value !== "" ? value : null;
}
