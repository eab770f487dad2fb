// Say moves in sentences. Pure: no DOM, no rules.

import { plural, tr } from "../texts.js";
import { cellName, count, nounOf } from "./describe.js";
import { placesOf } from "./places.js";

/** @import { BoardPlaces } from "./places.js" */
/** @import { Geometry } from "./types" */

/**
 * A move to tell: `before` and `after` are the owners of the cells, as in a position. `player` is
 * a name, or empty for the person who hears it.
 * @typedef {{action: number, player: string, before: string, after: string, scores: readonly number[]}} MoveTold
 */

/**
 * Return a sentence about a move: "Ann drew b5 and captured box b4. Score 3 to 2."
 * @param {Geometry} geometry
 * @param {MoveTold} move
 */
export function moveSentence(geometry, { action, player, before, after, scores }) {
  const places = placesOf(geometry);
  const move = geometry.names[action];
  const won = [...after].flatMap((owner, cell) => (owner !== before[cell] && owner !== "." ? [cell] : []));
  if (geometry.segments.length) {
    if (!won.length) return player ? tr("{player} drew {move}.", { player, move }) : tr("You drew {move}.", { move });
    const values = { player, move, boxes: boxes(places, won) };
    const told = player
      ? tr("{player} drew {move} and captured {boxes}.", values)
      : tr("You drew {move} and captured {boxes}.", values);
    return `${told} ${tr("Score {first} to {second}.", { first: scores[0], second: scores[1] })}`;
  }
  if (nounOf(geometry) === "column") {
    return player ? tr("{player} played column {move}.", { player, move }) : tr("You played column {move}.", { move });
  }
  if (geometry.pieces !== "object") {
    return player ? tr("{player} played {move}.", { player, move }) : tr("You played {move}.", { move });
  }
  const taken = `${won.length > 3 ? `${count(won.length, "objects")}, ` : ""}${objects(places, won)}`;
  return player ? tr("{player} took {objects}.", { player, objects: taken }) : tr("You took {objects}.", { objects: taken });
}

/**
 * @param {BoardPlaces} places
 * @param {number[]} cells
 */
export function boxes(places, cells) {
  const names = cells.map((cell) => cellName(places, cell));
  if (names.some((name) => !name)) return count(cells.length, "boxes");
  return plural("box {names}", "boxes {names}", cells.length, { names: listed(names) });
}

/**
 * @param {BoardPlaces} places
 * @param {number[]} cells
 */
export function objects(places, cells) {
  const names = cells.map((cell) => cellName(places, cell));
  return names.length > 3 ? tr("{first} to {last}", { first: names[0], last: names.at(-1) }) : listed(names);
}

/**
 * Return some words as a list: "a, b and c".
 * @param {readonly string[]} words
 */
export function listed(words) {
  if (words.length < 2) return words.join("");
  return tr("{words} and {last}", { words: words.slice(0, -1).join(", "), last: words.at(-1) });
}
