// Read the reviews that the session mirrors.

/**
 * Return the reviews that the session knows, by the id of the game.
 * @param {import("../app/app.js").App} app
 * @returns {ReadonlyMap<string, import("../models/review/types").ReviewState>}
 */
export function reviewsOf(app) {
  return /** @type {any} */ (app.session).reviews;
}
