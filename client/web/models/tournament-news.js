// Load a tournament again and again, without what is over and known already.

import { getJson } from "../net/api.js";

/** @typedef {import("../types/api.js").TournamentAnswer} TournamentAnswer */

export class TournamentNews {
  #path;
  #get;
  /** @type {TournamentAnswer | null} */
  #known = null;

  /**
   * @param {string} id of the tournament
   * @param {typeof getJson} [get]
   */
  constructor(id, get = getJson) {
    this.#path = `/api/tournaments/${encodeURIComponent(id)}`;
    this.#get = get;
  }

  /**
   * Return the whole tournament as it is now.
   *
   * @param {AbortSignal} signal
   * @returns {Promise<TournamentAnswer>}
   */
  async load(signal) {
    const known = this.#known;
    const since = known?.cursor;
    /** @type {TournamentAnswer} */
    const found = await this.#get(this.#path, { since }, { signal });
    this.#known = known === null ? found : joined(known, found);
    return this.#known;
  }
}

/**
 * Return a new answer, with those games and pairings of an earlier one that it leaves out.
 *
 * @param {TournamentAnswer} known
 * @param {TournamentAnswer} found
 * @returns {TournamentAnswer}
 */
function joined(known, found) {
  return {
    ...found,
    games: [...known.games.slice(0, found.games_before), ...found.games],
    games_before: 0,
    pairings: [...known.pairings.slice(0, found.pairings_before), ...found.pairings],
    pairings_before: 0,
  };
}
