// Keep moves that the server has not confirmed, so that a page that is opened again sends them.

import { isFor } from "./pending.js";

/** @typedef {import("./pending.js").Order} Order */
/** @typedef {import("../../core/room.js").RoomMirror} RoomMirror */
/** @typedef {import("../../app/storage.js").Storage} Storage */

const PLACE = "unsent";
/** In how many rooms a move is kept. */
const KEPT = 20;

/** The kept move of each room. They outlast the tab and the browser. */
export class UnsentMoves {
  /** @param {Storage} storage */
  constructor(storage) {
    this._storage = storage;
  }

  /** @param {Order} order */
  keep(order) {
    const { [order.room]: _, ...others } = this._all();
    const latest = Object.entries(others).slice(1 - KEPT);
    this._storage.set(PLACE, Object.fromEntries([...latest, [order.room, order]]));
  }

  /** @param {string} room */
  forget(room) {
    const { [room]: kept, ...others } = this._all();
    if (kept === undefined) return;
    this._storage.set(PLACE, Object.keys(others).length ? others : undefined);
  }

  /**
   * Return the kept action for the present position of a room, or null. A move for another
   * position is forgotten.
   *
   * @param {RoomMirror} mirror
   * @returns {number | null}
   */
  action(mirror) {
    const kept = this._all()[mirror.room];
    if (kept == null) return null;
    if (isFor(kept, mirror)) return typeof kept.action === "number" ? kept.action : null;
    this.forget(mirror.room);
    return null;
  }

  /** @returns {Record<string, Partial<Order> | undefined>} */
  _all() {
    const kept = this._storage.get(PLACE);
    return typeof kept === "object" && kept !== null ? { ...kept } : {};
  }
}
