// The titles of games with their sizes.

import { tr } from "../texts.js";

/**
 * Return a size as people read it: `5 × 5` for `5x5`.
 * @param {string} size
 */
export const sizeText = (size) => size.replace(/(?<=\d)x(?=\d)/g, " × ");

/**
 * Translate a title of the server with the size of a game: `Dots and Boxes 5 × 5`.
 * @param {string} title
 */
export function knownTitle(title) {
  return sizeText(title.replace(/^.*?(?= \d|$)/, (game) => tr(game)));
}
