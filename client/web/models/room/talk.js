// What was said in a room, oldest first.

/** @import { Said } from "../../core/messages.js" */

/** How much is kept. */
const MOST = 100;

export class RoomTalk {
  /** @type {readonly Said[]} */
  lines = [];

  /**
   * Add what the server has sent, some of which may be known.
   * @param {readonly Said[]} said
   */
  take(said) {
    const known = new Map([...this.lines, ...said].map((line) => [keyOf(line), line]));
    this.lines = [...known.values()].sort((one, other) => one.at - other.at).slice(-MOST);
  }
}

/**
 * Return what identifies something that was said.
 * @param {Said} line
 */
export function keyOf({ at, player, words }) {
  return `${at} ${player} ${words}`;
}
