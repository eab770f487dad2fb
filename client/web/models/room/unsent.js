// Keep moves that the server has not confirmed, so that a page that is loaded again sends them.

import { Storage } from "../../app/storage.js";

/** @typedef {import("./pending.js").Order} Order */
/** @typedef {import("../../core/room.js").RoomMirror} RoomMirror */

/** The kept move of each room; it lasts as long as the browser's tab. */
export class UnsentMoves {
  /** @param {() => globalThis.Storage} [open] may throw where storage is denied */
  constructor(open = () => sessionStorage) {
    this._storage = new Storage(open);
  }

  /** @param {Order} order */
  keep(order) {
    this._storage.set(`unsent.${order.room}`, order);
  }

  /** @param {string} room */
  forget(room) {
    this._storage.set(`unsent.${room}`, undefined);
  }

  /**
   * Return the kept action for the present position of a room, or null. A move for another
   * position is forgotten.
   *
   * @param {RoomMirror} mirror
   * @returns {number | null}
   */
  action({ room, status, match, moves }) {
    const kept = /** @type {Partial<Order> | undefined} */ (this._storage.get(`unsent.${room}`));
    if (kept == null) return null;
    if (status === "playing" && kept.match === match && kept.ply === moves.length) {
      return typeof kept.action === "number" ? kept.action : null;
    }
    this.forget(room);
    return null;
  }
}
