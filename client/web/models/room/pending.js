// Keep the move that the person has made and the server has not confirmed.

/** @typedef {import("./own-seats.js").Who} Who */
/** @typedef {import("../../core/room.js").RoomMirror} RoomMirror */

/**
 * A move to send over the connection of `who`, in match number `match` at `ply` after `takebacks`
 * takebacks.
 *
 * @typedef {{who: Who, room: string, match: number, ply: number, takebacks: number,
 *   action: number}} Order
 */

/**
 * At most one order, because the page learns only from the server's answer what may be played next.
 *
 * An order stays while the connection is lost: the connection sends it again by itself.
 */
export class PendingMove {
  constructor() {
    /** @type {Order | null} */
    this.order = null;
  }

  /** The action of the pending move, or null. */
  get action() {
    return this.order === null ? null : this.order.action;
  }

  /**
   * Drop the order if the room confirms it, or went on without it.
   *
   * @param {RoomMirror} mirror
   */
  settle(mirror) {
    const order = this.order;
    if (order === null) return;
    if (!isFor(order, mirror)) this.order = null;
  }

  /**
   * Take back `order`; return false if it was settled already.
   *
   * @param {Order} order
   */
  refuse(order) {
    if (this.order !== order) return false;
    this.order = null;
    return true;
  }
}

/**
 * Return whether an order, or a part of one, is for the present position of a room.
 *
 * @param {Partial<Order>} order
 * @param {RoomMirror} mirror
 */
export function isFor({ match, ply, takebacks = 0 }, mirror) {
  const same = match === mirror.match && takebacks === mirror.takebacks;
  return same && mirror.status === "playing" && ply === mirror.moves.length;
}
