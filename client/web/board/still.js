// A small picture of a position for lists and walls: about ten elements for any board.

import { useMemo } from "preact/hooks";
import { html } from "../html.js";
import { marginOf, ratioOf } from "./layout.js";
import { drawersOf, ownerOf } from "./picture.js";
import { placesOf } from "./places.js";
import { circleAt, discPath, signPath } from "./shapes.js";
import { polygon, UNIT } from "./svg.js";

/** @import { BoardPlaces } from "./places.js" */
/** @import { BoardProps, Position } from "./types" */

/** @param {BoardProps} props */
export function StillBoard({ geometry, position, seats, label }) {
  const rim = marginOf(geometry) * UNIT;
  const wide = geometry.width * UNIT;
  const high = geometry.height * UNIT;
  const initials = seats.map((seat) => seat.initial);
  const shapes = useMemo(() => shapesOf(placesOf(geometry), position), [geometry, position]);
  return html`<div class="board board-${geometry.pieces}" data-mode="still" style=${{ "--ratio": String(ratioOf(geometry)) }}>
    <svg class="board-svg" ...${label ? { role: "img", "aria-label": label } : { "aria-hidden": "true" }}
      viewBox="${-rim} ${-rim} ${wide + 2 * rim} ${high + 2 * rim}">
      <g class="whole still ${geometry.pieces}">
      <rect class="plate" x=${-rim} y=${-rim} width=${wide + 2 * rim} height=${high + 2 * rim} rx="20" />
      ${shapes.map(([look, d]) => d && html`<path class=${look} d=${d} />`)}
      ${geometry.pieces === "fill" && lettersOf(placesOf(geometry), position, initials)}
      </g>
    </svg>
  </div>`;
}

/**
 * Return the paths of a picture, the lowest first, each with its class.
 * @param {BoardPlaces} places
 * @param {Position} position
 * @returns {[string, string][]}
 */
function shapesOf(places, position) {
  const { geometry, cellMiddles: middles } = places;
  const { pieces } = geometry;
  const all = middles.map((_, cell) => cell);
  const of = (/** @type {0 | 1 | null} */ seat) => all.filter((cell) => ownerOf(position, cell) === seat);
  const discs = (/** @type {number[]} */ cells) => cells.map((cell) => circleAt(middles[cell])).join("");
  const squares = (/** @type {number[]} */ cells) => cells.map((cell) => polygon(places.cells[cell])).join("");
  if (pieces === "disc" || pieces === "object") {
    const empty = pieces === "disc" ? "holes" : "piece empty";
    return [
      [empty, discs(pieces === "disc" ? all : of(null))],
      ["piece owned seat0", discs(of(0))],
      ["piece owned seat1", pieces === "disc" ? of(1).map((cell) => discPath(middles[cell], 1)).join("") : discs(of(1))],
      ["still-winning", discs([...position.winning])],
    ];
  }
  if (pieces === "sign") {
    const signs = (/** @type {0 | 1} */ seat) =>
      of(seat).map((cell) => signPath(geometry.seat_names[seat], middles[cell])).join("");
    return [
      ["still-ground", squares([...position.winning])],
      ["still-grid", squares(all)],
      ["piece owned seat0", signs(0)],
      ["piece owned seat1", signs(1)],
    ];
  }
  const drawers = drawersOf(position);
  const lines = (/** @type {(action: number) => boolean} */ wanted) =>
    [...places.ends]
      .filter(([action]) => wanted(action))
      .map(([, [[x1, y1], [x2, y2]]]) => `M${x1 * UNIT} ${y1 * UNIT}L${x2 * UNIT} ${y2 * UNIT}`)
      .join("");
  return [
    ["ground owned seat0", squares(of(0))],
    ["ground owned seat1", squares(of(1))],
    ["glow", lines((action) => action === position.last)],
    ["edge free", lines((action) => !drawers.has(action))],
    ["edge drawn nobody", lines((action) => drawers.has(action) && drawers.get(action) === null)],
    ["edge drawn seat0", lines((action) => drawers.get(action) === 0)],
    ["edge drawn seat1", lines((action) => drawers.get(action) === 1)],
    ["dots", geometry.points.map(([x, y]) => `M${x * UNIT} ${y * UNIT}h0`).join("")],
  ];
}

/**
 * Return one text for each seat, with the initials in each of its cells.
 * @param {BoardPlaces} places
 * @param {Position} position
 * @param {string[]} initials
 */
function lettersOf(places, position, initials) {
  const long = initials.some((initial) => initial.length > 1);
  return initials.map((initial, seat) => {
    const middles = places.cellMiddles.filter((_, cell) => ownerOf(position, cell) === seat);
    const look = `piece owned seat${seat}`;
    const list = (/** @type {0 | 1} */ axis) => middles.map((middle) => middle[axis] * UNIT).join(" ");
    // Places in a list are those of single letters, and then one element is enough.
    if (!long) return html`<text class=${look} x=${list(0)} y=${list(1)}>${initial.repeat(middles.length)}</text>`;
    return html`<text class="${look} long">
      ${middles.map(([x, y]) => html`<tspan x=${x * UNIT} y=${y * UNIT}>${initial}</tspan>`)}
    </text>`;
  });
}
