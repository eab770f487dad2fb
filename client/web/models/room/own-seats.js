// Track which seats of a room belong to this page, and which connection plays each.

/** The connection of the person who opened the page, as opposed to a second person's. */
export const OWN = "me";
/** The connection of a second person at the same screen. */
export const GUEST = "guest";

/** @typedef {"me" | "guest"} Who */
/** @typedef {import("../../core/room.js").RoomMirror} RoomMirror */

/**
 * The seats that people at this page have in the current match of a room.
 *
 * There is one seat for a player, none for a spectator, and two when two people share the page. The
 * second connection's mirror serves only to find its seat.
 */
export class OwnSeats {
  constructor() {
    /** @type {Map<number, Who>} */
    this.connections = new Map();
  }

  /**
   * Read both mirrors; that of `OWN` says which match is current.
   *
   * @param {RoomMirror} own
   * @param {RoomMirror | null} guest
   */
  take(own, guest) {
    this.connections.clear();
    if (own.seat != null) this.connections.set(own.seat, OWN);
    if (guest !== null && guest.seat != null && guest.match === own.match) {
      this.connections.set(guest.seat, GUEST);
    }
  }

  /**
   * Return whether `seat` belongs to this page.
   *
   * @param {number | null} seat
   */
  has(seat) {
    return seat !== null && this.connections.has(seat);
  }

  /** Whether this page has no seat. */
  get watching() {
    return this.connections.size === 0;
  }

  /** Whether both players share this page. */
  get shared() {
    return this.connections.size === 2;
  }

  /** The only seat of this page, or null for a spectator and for two people. */
  get only() {
    return this.connections.size === 1 ? [...this.connections.keys()][0] : null;
  }

  /**
   * The opponent's seat from the view of `OWN`, or null for a spectator. When two people share the
   * page, that is the second person's seat.
   */
  get opponent() {
    for (const [seat, who] of this.connections) if (who === OWN) return 1 - seat;
    return null;
  }
}
