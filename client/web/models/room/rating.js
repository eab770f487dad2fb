// The remark about a player's rating after a rated match.
//
// The server counts a match for the ratings when it ends, and its HTTP address has the ratings of a player
// with their history: the last entry is the new rating, the one before it the rating before the match.

import { tr } from "../../texts.js";
import { ratingText } from "../rating.js";
import { NO_RESULT, signed } from "./words.js";

/** @typedef {{player: string, game: string, size: string, match: number}} Rated */

/**
 * Return whose rating the finished match counts for; null if it counts for none. After the games of
 * a tournament its table is of more interest.
 *
 * @param {import("./model.js").RoomModel} model
 * @returns {Rated | null}
 */
export function ratedMatch({ mirror, ending, seats, geometry }) {
  const { settings, tag, result, players, match } = mirror;
  if (!settings.rated || tag !== null || ending === null || seats.only === null) return null;
  if (result === null || NO_RESULT.includes(result.termination)) return null;
  const player = players[seats.only];
  if (player?.kind !== "human") return null;
  return { player: player.name, game: settings.game, size: geometry.size, match };
}

/**
 * Return the new rating in a sentence.
 *
 * @param {Rated} rated
 * @param {readonly import("../../types/api.js").RatingCourse[]} ratings - those of the player
 */
export function ratingLine({ game, size }, ratings) {
  const found = ratings.find((each) => each.game === game && each.size === size && !each.engine);
  const points = found?.history.map(([, rating]) => rating) ?? [];
  const [before, now] = points.slice(-2).map(Math.round);
  if (!found || before === undefined) return tr("Your new rating is shown in the lobby.");
  const rating = ratingText({ rating: now ?? before, provisional: found.provisional });
  if (now === undefined) return tr("Your first rating: {rating}.", { rating });
  return tr("Your rating: {rating} ({change}).", { rating, change: signed(now - before) });
}
