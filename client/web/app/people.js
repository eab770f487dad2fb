// Whom this player follows and blocks, and whose words are hidden in this browser.

import { signal } from "@preact/signals";

/** @import { Followed, Ties } from "../types/wire" */

/** The names whose words are hidden are kept under this key. */
const MUTED = "muted";

export class People {
  follows = signal(/** @type {readonly Followed[]} */ ([]));
  blocks = signal(/** @type {readonly string[]} */ ([]));
  muted;
  #app;

  /** @param {import("./app.js").App} app */
  constructor(app) {
    this.#app = app;
    const kept = app.storage.get(MUTED);
    this.muted = signal(/** @type {readonly string[]} */ (Array.isArray(kept) ? kept : []));
  }

  /** Ask the server whom this player follows and blocks. */
  async load() {
    try {
      this.#take(await this.#app.request({ type: "get_ties" }));
    } catch {
      // The page works without it; the server keeps people apart by itself.
    }
  }

  /**
   * Follow or block a player, or end that.
   * @param {string} player
   * @param {"follow" | "block" | null} tie
   */
  async tie(player, tie) {
    this.#take(await this.#app.request({ type: "set_tie", player, tie }));
  }

  /** @param {Ties} ties */
  #take({ follows, blocks }) {
    this.follows.value = follows;
    this.blocks.value = blocks;
  }

  /**
   * Return what connects this player with another one.
   * @param {string} player
   * @returns {"follow" | "block" | null}
   */
  of(player) {
    if (this.blocks.value.includes(player)) return "block";
    return this.follows.value.some((each) => each.player === player) ? "follow" : null;
  }

  /**
   * Hide the words of a player, or show them again.
   * @param {string} player
   * @param {boolean} on
   */
  mute(player, on) {
    const others = this.muted.value.filter((name) => name !== player);
    this.muted.value = on ? [...others, player] : others;
    this.#app.storage.set(MUTED, this.muted.value);
  }

  /**
   * Return whether the words of a player are hidden.
   * @param {string} player
   */
  hides(player) {
    return this.muted.value.includes(player) || this.blocks.value.includes(player);
  }
}
