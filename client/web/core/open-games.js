// Keep the server's list of this player's games in play, and the clocks of the followed ones right.

/**
 * @import { OpenGame, ServerMessage } from "./messages.js"
 * @import { RoomMirror } from "./room.js"
 * @import { Update } from "./updates.js"
 */

/** `games` are sorted by the server, the most urgent first; their times were left at `at`. */
export class OpenGames {
  /** @type {readonly OpenGame[]} */
  games = [];
  /** In seconds, by the clock of `receive`. */
  at = 0;
  /** Whether there was an answer. */
  known = false;

  /**
   * @param {Extract<ServerMessage, {type: "open_games"}>} message
   * @param {number} now
   * @param {ReadonlyMap<string, RoomMirror>} rooms
   * @returns {Update[]}
   */
  take({ games }, now, rooms) {
    this.games = games;
    this.at = now;
    this.known = true;
    for (const { room, match, plies, left_ms: left } of games) {
      const mirror = rooms.get(room);
      // A room that came as a whole does not say when its turn began.
      if (mirror?.match === match && mirror.moves.length === plies && left !== null) mirror.clock.setMoveLeft(left, now);
    }
    return [{ kind: "openGames" }];
  }
}
