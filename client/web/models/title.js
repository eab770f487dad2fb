// The titles of games with their sizes.

import { tr } from "../texts.js";

/**
 * Translate a title with the size of a game, such as `Dots and Boxes 5x5`.
 * @param {string} title
 */
export function knownTitle(title) {
  return title.replace(/^.*?(?= \d|$)/, (game) => tr(game));
}
