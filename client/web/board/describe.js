// Describe actions and cells in words, from the geometry and the position alone.

import { plural, tr } from "../texts.js";
import { claims, drawersOf, ownerOf } from "./picture.js";

/** @import { Geometry, Position, SeatLook } from "./types" */
/** @import { BoardPlaces } from "./places.js" */

const ORDINALS = [
  "",
  tr("first edge of box {box}"),
  tr("second edge of box {box}"),
  tr("third edge of box {box}"),
  tr("fourth edge of box {box}"),
  tr("fifth edge of box {box}"),
];
/** @type {Readonly<Record<string, (number: number) => string>>} */
const COUNTED = {
  boxes: (number) => plural("1 box", "{n} boxes", number),
  edges: (number) => plural("1 edge", "{n} edges", number),
  moves: (number) => plural("1 move", "{n} moves", number),
  objects: (number) => plural("1 object", "{n} objects", number),
  points: (number) => plural("1 point", "{n} points", number),
};

/**
 * Return the verb for playing a move of a game, such as "Draw".
 * @param {Geometry} geometry
 */
export function verbOf(geometry) {
  if (geometry.segments.length) return "Draw";
  return geometry.pieces === "object" ? "Take" : "Play";
}

/**
 * Return what the actions of a game are called: an edge, a cell, a column or an object.
 * @param {Geometry} geometry
 */
export function nounOf(geometry) {
  if (geometry.segments.length) return "edge";
  if (geometry.pieces === "object") return "object";
  return geometry.regions.length < geometry.cells.length ? "column" : "cell";
}

/**
 * Return the name of a cell, or "" if it has none.
 *
 * A box has no action of its own. Its name joins the letter that two of its edges share and the
 * number that the two others share, which is the square of the lattice between them.
 * @param {BoardPlaces} places
 * @param {number} cell
 */
export function cellName(places, cell) {
  const { cells, names } = places.geometry;
  const around = cells[cell].segments;
  if (!around.length) {
    const [x, y] = places.cellMiddles[cell];
    const action = places.regionAt(x, y);
    return action === null ? "" : names[action];
  }
  const parts = around.map((action) => /^([a-z]+)(\d+)$/.exec(names[action]));
  const letter = twice(parts.map((part) => part?.[1]));
  const number = twice(parts.map((part) => part?.[2]));
  return letter && number ? letter + number : "";
}

/** @param {(string | undefined)[]} texts */
function twice(texts) {
  return texts.find((text, at) => text !== undefined && texts.indexOf(text) < at) ?? "";
}

/**
 * Return a sentence about an action for screen readers: "b5, free edge, third edge of box b4".
 * @param {BoardPlaces} places
 * @param {Position} position
 * @param {readonly [SeatLook, SeatLook]} seats
 * @param {number} action
 */
export function describeAction(places, position, seats, action) {
  const { geometry } = places;
  const name = geometry.names[action] ?? String(action);
  const noun = nounOf(geometry);
  if (places.ends.has(action)) return `${name}, ${describeEdge(places, position, seats, action)}`;
  if (noun === "column") {
    const inside = geometry.cells.filter((cell) => {
      const [x, y] = places.cellMiddles[cell.index];
      return places.regionAt(x, y) === action;
    });
    const free = inside.filter((cell) => ownerOf(position, cell.index) === null).length;
    return free
      ? tr("column {name}, {free} of {count} free", { name, free, count: inside.length })
      : tr("column {name}, full", { name });
  }
  const taken = claims(places, position, action).length;
  if (noun === "object") {
    return taken
      ? plural("{name}, takes 1 object", "{name}, takes {n} objects", taken, { name })
      : tr("{name}, taken", { name });
  }
  const owner = geometry.cells.map((cell) => cell.index).find((cell) => cellName(places, cell) === name);
  const seat = owner === undefined ? null : ownerOf(position, owner);
  return `${name}, ${seat === null ? tr("free") : geometry.seat_names[seat]}`;
}

/**
 * @param {BoardPlaces} places
 * @param {Position} position
 * @param {readonly [SeatLook, SeatLook]} seats
 * @param {number} action
 */
function describeEdge(places, position, seats, action) {
  const drawers = drawersOf(position);
  if (drawers.has(action)) {
    const seat = drawers.get(action) ?? null;
    return seat === null ? tr("drawn edge") : tr("drawn by {name}", { name: seats[seat].name });
  }
  const beside = places.geometry.cells.filter((cell) => cell.segments.includes(action));
  const parts = beside.map((cell) => {
    const drawn = cell.segments.filter((other) => drawers.has(other)).length + 1;
    const text = drawn === cell.segments.length ? tr("completes box {box}") : ORDINALS[drawn];
    return tr(text, { box: cellName(places, cell.index) }).trim();
  });
  return [tr("free edge"), ...parts].join(", ");
}

/**
 * Return a number and what it counts: "1 box", "2 boxes".
 * @param {number} number
 * @param {string} what several of it, such as the unit of a game
 */
export function count(number, what) {
  return COUNTED[what]?.(number) ?? `${number} ${what}`;
}
