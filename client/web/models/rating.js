// Write ratings for people, and prepare their course for a curve.

/** @typedef {import("../types/api.js").RatingAnswer} RatingAnswer */
/** @typedef {import("../types/api.js").RatingCourse} RatingCourse */

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
  return `${Math.round(interval[0])} to ${Math.round(interval[1])}`;
}

/**
 * Return the columns of a rating's curve: times in seconds, ratings, and the bounds two deviations
 * below and above. Games that ended in the same second stay apart, because a curve needs growing
 * times.
 *
 * @param {RatingCourse} rated
 * @returns {[number[], number[], number[], number[]]}
 */
export function ratingColumns({ history, deviations }) {
  /** @type {number[]} */
  const times = [];
  for (const [ms] of history) {
    const before = times[times.length - 1];
    const time = ms / 1000;
    times.push(before !== undefined && time <= before ? before + 0.001 : time);
  }
  const ratings = history.map(([, rating]) => rating);
  const around = (/** @type {number} */ sign) =>
    ratings.map((rating, at) => rating + sign * 2 * (deviations[at] ?? 0));
  return [times, ratings, around(-1), around(1)];
}

/**
 * Return the key of a rating, for addresses and lists.
 *
 * @param {{game: string, size: string, engine: string}} rated
 */
export function ratingKey({ game, size, engine }) {
  return JSON.stringify([game, size, engine]);
}
