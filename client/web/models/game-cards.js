// Describe finished games for the cards of lists.

import { tr } from "../texts.js";
import { PEOPLE, against } from "./history.js";
import { NO_RESULT, endedWhy } from "./room/words.js";
import { timeText } from "./time.js";
import { knownTitle } from "./title.js";

/** @import { GameSummary } from "../types/api.js" */
/** @import { OwnGame } from "../types/wire.js" */
/**
 * A finished game of a list. `title` and `facts`: lines about it; `badge`: how it ended for somebody.
 * @typedef {{id: string, players: readonly string[], scores: readonly number[], winner: number | null, title: string,
 *   facts: readonly (string | false)[], finished_ms: number, badge?: OwnGame["outcome"] | ""}} Finished
 */

/**
 * Return a public game for its card; `of` is the player whose list it is.
 * @param {GameSummary} game
 * @param {string} [of]
 * @returns {Finished}
 */
export function cardOf(game, of) {
  const { winner, players } = game;
  const won = winner !== null && players[winner]?.toLowerCase() === of?.toLowerCase();
  const facts = [timeText(game.time_control), game.rated ? tr("rated") : tr("casual"), endOf(game)];
  return { ...game, title: knownTitle(game.title), facts, badge: of && (winner === null ? "drawn" : won ? "won" : "lost") };
}

/**
 * Return an own game for its card.
 * @param {OwnGame} game
 * @returns {Finished}
 */
export function ownCard(game) {
  const { outcome, seat } = game;
  const who = against(game);
  const facts = [who !== PEOPLE && who !== game.players[1 - seat] && who, game.rated && tr("rated"), game.private && tr("private")];
  const winner = outcome === "won" ? seat : outcome === "lost" ? 1 - seat : null;
  return { ...game, title: knownTitle(game.title), id: game.game_id, winner, facts, badge: outcome };
}

/**
 * Return how a game ended, if that is more than the score says.
 * @param {{winner: number | null, termination: string, players: readonly string[]}} game
 */
export function endOf({ winner, termination, players }) {
  if (winner === null && !NO_RESULT.includes(termination)) return tr("Draw");
  return termination !== "completed" && endedWhy(termination, winner === null ? null : players[1 - winner], "");
}
