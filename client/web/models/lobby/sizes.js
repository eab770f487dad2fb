// Read the size of a game.

/** @import { CatalogueGame } from "../../types/api" */

/**
 * Return the parameters that a size lists; null if it is not valid.
 * @param {CatalogueGame} game
 * @param {string} size
 * @returns {Record<string, number> | null}
 */
export function readSize({ parameters }, size) {
  const numbers = size.split("x").map((text) => (/^\d{1,5}$/.test(text) ? Number(text) : NaN));
  if (numbers.length !== parameters.length) return null;
  const fits = parameters.every(({ low, high }, at) => {
    const number = numbers[at] ?? NaN;
    return number >= low && number <= high;
  });
  if (!fits) return null;
  return Object.fromEntries(parameters.map(({ name }, at) => [name, numbers[at] ?? 0]));
}
