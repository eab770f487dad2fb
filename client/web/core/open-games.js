// Keep the server's list of this player's games in play.

/**
 * @import { OpenGame, ServerMessage } from "./messages.js"
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
   * @returns {Update[]}
   */
  take({ games }, now) {
    this.games = games;
    this.at = now;
    this.known = true;
    return [{ kind: "openGames" }];
  }
}
