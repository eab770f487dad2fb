// Write ratings for people, and prepare their course for a curve.

import { tr } from "../texts.js";

/** @import { RatingCourse } from "../types/api.js" */

/** The rating of a player without one, such as somebody new. */
export const USUAL = 1500;
/** The mark of a rating that too few games support. */
export const PROVISIONAL_MARK = "?";

/**
 * Return the rating as a whole number, with `?` if it is provisional.
 *
 * @param {{rating: number, provisional: boolean}} rated
 */
export function ratingText({ rating, provisional }) {
  return `${Math.round(rating)}${provisional ? PROVISIONAL_MARK : ""}`;
}

/**
 * Return the 95 % interval: `1432 to 1610`.
 *
 * @param {{interval: [number, number]}} rated
 */
export function intervalText({ interval }) {
  return tr("{first} to {last}", { first: Math.round(interval[0]), last: Math.round(interval[1]) });
}

/**
 * Return the columns of a rating's curve: the number of each game, the bounds two deviations below
 * and above the rating, and the rating. The history may begin after the first games.
 *
 * @param {RatingCourse} rated
 * @returns {[number[], number[], number[], number[]]}
 */
export function ratingColumns({ history, deviations, games }) {
  const before = Math.max(0, games - history.length);
  const ratings = history.map(([, rating]) => rating);
  const around = (/** @type {number} */ sign) =>
    ratings.map((rating, at) => rating + sign * 2 * (deviations[at] ?? 0));
  return [history.map((_, at) => before + at + 1), around(-1), around(1), ratings];
}

/**
 * Return the key of a rating, for addresses and lists.
 *
 * @param {{game: string, size: string, engine: string}} rated
 */
export function ratingKey({ game, size, engine }) {
  return JSON.stringify([game, size, engine]);
}
