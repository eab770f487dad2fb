// Ask the server for what the page cannot work out itself: earlier positions, and features.

import { getJson } from "../../net/api.js";

/** @typedef {import("./controller.js").RoomController} RoomController */
/** @typedef {import("../../types/api.js").PositionFeature} Feature */
/** @typedef {import("../../types/api.js").Positions} Positions */
/** @typedef {import("../../types/api.js").Features} Features */

/** How many positions' features are kept. */
const KEPT = 40;

/** The lookups of one room; one request of each kind is under way at a time. */
export class Lookups {
  /** @param {RoomController} room */
  constructor(room) {
    this._room = room;
    this._positionsAsked = false;
    /** @type {Map<string, readonly Feature[]>} */
    this._features = new Map();
    this._featuresAsked = "";
  }

  /** Fetch the positions before the latest one, unless all are known. */
  async positions() {
    const { model } = this._room;
    if (!model.history.missing || this._positionsAsked) return;
    this._positionsAsked = true;
    const { match, moves } = model.mirror;
    const played = [...moves];
    try {
      const params = { ...this._game(), moves: played.join(",") };
      const { positions } = /** @type {Positions} */ (await getJson("/api/positions", params));
      model.history.fill(match, played, positions);
      this._room.changed();
    } catch {
      if (model.viewing === null) return; // nobody misses them yet, and the next step asks again
      this._room.notice("The earlier positions could not be fetched. Try again.");
    } finally {
      this._positionsAsked = false;
    }
  }

  /**
   * Return the features of the position that is shown, or null while they are being fetched.
   *
   * @returns {readonly Feature[] | null}
   */
  features() {
    const { model } = this._room;
    const moves = model.mirror.moves.slice(0, model.ply);
    const key = moves.join(",");
    const known = this._features.get(key);
    if (known === undefined && this._featuresAsked !== key) this._askFeatures(key);
    return known ?? null;
  }

  /** @param {string} moves */
  async _askFeatures(moves) {
    this._featuresAsked = moves;
    try {
      const params = { ...this._game(), moves };
      const { features } = /** @type {Features} */ (await getJson("/api/features", params));
      this._features.set(moves, features);
      const oldest = this._features.keys().next();
      if (this._features.size > KEPT && !oldest.done) this._features.delete(oldest.value);
      if (this._featuresAsked === moves) this._featuresAsked = "";
      this._room.changed();
    } catch {
      // The overlay stays empty here; another position asks again.
    }
  }

  _game() {
    const { geometry, mirror } = this._room.model;
    return { game: geometry.game, size: geometry.size, opening: mirror.settings.opening.join(",") };
  }
}
