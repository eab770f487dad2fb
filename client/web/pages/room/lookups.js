// Ask the server for what the page cannot work out itself: earlier positions, and facts about one.

import { getJson } from "../../net/api.js";
import { PositionFacts } from "../../net/facts.js";
import { tr } from "../../texts.js";

/** @typedef {import("./controller.js").RoomController} RoomController */
/** @typedef {import("../../types/api.js").Positions} Positions */

/** The lookups of one room. */
export class Lookups {
  /** @param {RoomController} room */
  constructor(room) {
    this._room = room;
    this._positionsAsked = false;
    this._facts = new PositionFacts(() => room.changed());
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
      this._room.notice(tr("The earlier positions could not be fetched. Try again."));
    } finally {
      this._positionsAsked = false;
    }
  }

  /**
   * Return what the server knows about the position that is shown, or null while it is fetched.
   *
   * @param {"features" | "policy"} kind
   */
  fact(kind) {
    const { model } = this._room;
    const moves = model.mirror.moves.slice(0, model.ply).join(",");
    return this._facts.get(kind, { ...this._game(), moves });
  }

  _game() {
    const { geometry, mirror } = this._room.model;
    return { game: geometry.game, size: geometry.size, opening: mirror.settings.opening.join(",") };
  }
}
