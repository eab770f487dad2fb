// The sizes that a game offers in a short list, and the one that the person chose last.

import { tr } from "../../texts.js";
import { sizeText } from "../title.js";

/** @import { CatalogueGame } from "../../types/api" */

/** The value of the entry that opens the whole form. */
export const OTHER = "other";
const SMALLEST = 2;
const LARGEST = 10;

/**
 * Return the sizes of a list: squares where the game has rows and columns, and the default.
 * @param {CatalogueGame} game
 * @param {string} chosen - a size that must be in the list if it is valid
 * @returns {{value: string, title: string}[]}
 */
export function sizeOptions(game, chosen) {
  const { parameters } = game;
  const usual = defaultSize(game);
  /** @type {string[]} */
  const sizes = [];
  if (parameters.length === 2) {
    for (let side = SMALLEST; side <= LARGEST; side++) {
      if (parameters.every(({ low, high }) => side >= low && side <= high)) sizes.push(`${side}x${side}`);
    }
  }
  if (!sizes.includes(usual)) sizes.unshift(usual);
  if (!sizes.includes(chosen) && readSize(game, chosen) !== null) sizes.push(chosen);
  const titled = sizes.map((size) => ({ value: size, title: title(game, size) }));
  return [...titled, { value: OTHER, title: tr("Other ...") }];
}

/**
 * Return the default parameters of a game as a size.
 * @param {CatalogueGame} game
 */
export function defaultSize(game) {
  return game.parameters.map((each) => each.default).join("x");
}

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

/**
 * Return the parameters of a size that may leave out some at its end; null if the game or the size is unknown.
 * @param {readonly CatalogueGame[]} games
 * @param {string} key
 * @param {string} size
 */
export function paramsOfSize(games, key, size) {
  const game = games.find((each) => each.key === key);
  const numbers = size.split("x");
  if (game === undefined || numbers.length < game.least_numbers) return null;
  const usual = game.parameters.slice(numbers.length).map((each) => each.default);
  return readSize(game, [...numbers, ...usual].join("x"));
}

/**
 * @param {CatalogueGame} game
 * @param {string} size
 */
function title(game, size) {
  if (game.parameters.length <= 2) return sizeText(size);
  return size === defaultSize(game) ? tr("Usual size") : size;
}
