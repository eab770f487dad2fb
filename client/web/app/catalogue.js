// Fetch the games and their boards once, and name games and sizes.

import { signal } from "@preact/signals";

import { sizeText } from "../models/title.js";
import { tr } from "../texts.js";

/**
 * @import { Catalogue, CatalogueGame, GameGeometry } from "../types/api"
 * @typedef {<T>(path: string, params?: Record<string, string>) => Promise<T>} GetJson
 */

/** @typedef {{features: boolean, policy: boolean}} Offers What the server tells of the positions of a game. */

/**
 * Return what the server tells of the positions of a game; nothing if it does not know the game.
 * @param {readonly CatalogueGame[]} games
 * @param {string} key
 * @returns {Offers}
 */
export function offersOf(games, key) {
  const game = games.find((each) => each.key === key);
  return { features: game?.features === true, policy: game?.policy === true };
}

export class Games {
  #get;
  /** @type {Promise<Catalogue> | null} */
  #catalogue = null;
  /** @type {Map<string, Promise<GameGeometry>>} */
  #geometries = new Map();
  /** The catalogue once it is known, for components. */
  known = signal(/** @type {Catalogue | null} */ (null));
  #titles = signal(/** @type {Readonly<Record<string, string>>} */ ({}));

  /** @param {GetJson} get */
  constructor(get) {
    this.#get = get;
  }

  /**
   * Return the games that the server knows.
   * @returns {Promise<Catalogue>}
   */
  catalogue() {
    this.#catalogue ??= this.#fetchCatalogue();
    return this.#catalogue;
  }

  /**
   * Return how a board looks.
   * @param {string} game
   * @param {Record<string, number>} params
   * @returns {Promise<GameGeometry>}
   */
  async geometry(game, params) {
    const known = this.catalogue();
    known.catch(() => {});
    // Settings that a server sent have all parameters, and so need not wait for it.
    const { games } = this.known.peek() ?? (Object.keys(params).length ? { games: [] } : await known);
    const size = sizeOf(games.find((each) => each.key === game), params);
    const key = `${game} ${size}`;
    let found = this.#geometries.get(key);
    if (found === undefined) {
      found = this.#get("/api/geometry", { game, size });
      this.#geometries.set(key, found);
      // A failure must not be kept: the next call asks again.
      found.catch(() => this.#geometries.delete(key));
    }
    return found;
  }

  /**
   * Return the title and size of a game: `Dots and Boxes 5 × 5`. A component that calls this renders
   * again when a better one is known.
   * @param {{game: string, params?: Record<string, number>}} settings
   * @returns {string}
   */
  title({ game, params = {} }) {
    const found = this.known.value?.games.find((each) => each.key === game);
    if (found === undefined) return game;
    const size = sizeOf(found, params);
    // Only the server knows how a game with more than two parameters writes its size.
    const short = tr(found.title);
    if (found.parameters.length <= 2) return size ? `${short} ${sizeText(size)}` : short;
    const known = this.#titles.value[`${game} ${size}`];
    if (known === undefined) void this.#fetchTitle(game, params, size);
    return sizeText(known?.replace(found.title, short) ?? short);
  }

  /**
   * @param {string} game
   * @param {Record<string, number>} params
   * @param {string} size
   */
  async #fetchTitle(game, params, size) {
    try {
      const { title } = await this.geometry(game, params);
      const titles = this.#titles.peek();
      const key = `${game} ${size}`;
      if (titles[key] !== title) this.#titles.value = { ...titles, [key]: title };
    } catch {
      // The short title stays.
    }
  }

  async #fetchCatalogue() {
    try {
      /** @type {Catalogue} */
      const catalogue = await this.#get("/api/catalogue");
      this.known.value = catalogue;
      return catalogue;
    } catch (error) {
      this.#catalogue = null;
      throw error;
    }
  }
}

/**
 * Return the size of a game as the server writes it, such as `5x5`.
 * @param {CatalogueGame | undefined} game
 * @param {Record<string, number>} params
 */
export function sizeOf(game, params) {
  if (game === undefined) return Object.values(params).join("x");
  return game.parameters.map(({ name, default: usual }) => params[name] ?? usual).join("x");
}
