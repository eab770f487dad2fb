// Describe actions and cells in words, from the geometry and the position alone.

import { claims, drawersOf, ownerOf } from "./picture.js";

/** @import { Geometry, Position, SeatLook } from "./types" */
/** @import { BoardPlaces } from "./places.js" */

const ORDINALS = ["", "first", "second", "third", "fourth", "fifth", "sixth"];

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
    return free ? `column ${name}, ${free} of ${inside.length} free` : `column ${name}, full`;
  }
  const taken = claims(places, position, action).length;
  if (noun === "object") return taken ? `${name}, takes ${count(taken, "objects")}` : `${name}, taken`;
  const owner = geometry.cells.map((cell) => cell.index).find((cell) => cellName(places, cell) === name);
  const seat = owner === undefined ? null : ownerOf(position, owner);
  return `${name}, ${seat === null ? "free" : geometry.seat_names[seat]}`;
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
    return seat === null ? "drawn edge" : `drawn by ${seats[seat].name}`;
  }
  const beside = places.geometry.cells.filter((cell) => cell.segments.includes(action));
  const parts = beside.map((cell) => {
    const drawn = cell.segments.filter((other) => drawers.has(other)).length + 1;
    const box = `box ${cellName(places, cell.index)}`.trim();
    return drawn === cell.segments.length ? `completes ${box}` : `${ORDINALS[drawn]} edge of ${box}`;
  });
  return ["free edge", ...parts].join(", ");
}

/**
 * Return a number and what it counts: "1 box", "2 boxes". `plural` is the word for several.
 * @param {number} number
 * @param {string} plural
 */
export function count(number, plural) {
  if (number !== 1) return `${number} ${plural}`;
  return `1 ${plural.endsWith("xes") ? plural.slice(0, -2) : plural.replace(/s$/, "")}`;
}
