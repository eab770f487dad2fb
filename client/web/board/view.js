// Draw a board as SVG: make the elements of a geometry once, then change only what differs.
//
// The order of the layers, lowest first: plate, cells, features, grid, the glow of the last edge,
// edges, dots, pieces and letters, labels and marks. States are classes; colours and the widths of
// strokes are CSS variables, so a new theme or size changes no element.

import { clearOf, fit, lengthsOf, NO_RIM } from "./layout.js";
import { Fills, FILL_MS, inOrder } from "./motion.js";
import { continues, differences, pictureOf } from "./picture.js";
import { placesOf } from "./places.js";
import { circleAt, discPath, lineBetween, signPath } from "./shapes.js";
import { make, polygon, set, UNIT } from "./svg.js";

/** @import { Geometry, Point, Position, Seat } from "./types" */
/** @import { Picture } from "./picture.js" */

const GROW_MS = 140;

let views = 0;

export class BoardView {
  /**
   * @param {SVGSVGElement} svg an empty element
   * @param {Geometry} geometry
   */
  constructor(svg, geometry) {
    this.svg = svg;
    this.geometry = geometry;
    this.places = placesOf(geometry);
    this.layout = fit(geometry, 100, 100);
    this._rim = NO_RIM;
    /** @type {typeof import("./rim.js") | null} */
    this._rimMaker = null;
    /** The part of the board that is visible: its magnification, and the middle in board units. */
    this.zoom = { times: 1, x: geometry.width / 2, y: geometry.height / 2 };
    this._fills = new Fills();
    /** @type {Map<Element, Animation>} Asking the browser for them would make it compute all styles. */
    this._moving = new Map();
    /** @type {Picture | null} */
    this._picture = null;
    /** @type {Position | null} */
    this._position = null;
    /** @type {readonly [string, string]} */
    this._signs = ["", ""];
    this._left = 0;
    this._top = 0;
    /** Where the person touched an edge last, as a share of its length. @type {{action: number, at: number} | null} */
    this._touched = null;
    const { places } = this;
    svg.replaceChildren();
    // A lens shows this element again; style sheets then see it without what is around it.
    /** All that is drawn. */
    this.whole = make("g", { id: `board-view-${(views += 1)}`, class: `whole ${geometry.pieces}` }, svg);
    const { whole } = this;
    const layer = (/** @type {string} */ name) => make("g", { class: name }, whole);
    this._plate = make("rect", { class: "plate" }, whole);
    this._labels = layer("rim");
    const grounds = layer("grounds");
    this.features = layer("features");
    this.heat = layer("heat");
    this.hints = layer("hints");
    if (geometry.pieces === "sign") make("path", { class: "grid", d: gridPath(geometry) }, whole);
    if (geometry.pieces === "disc")
      make("path", { class: "holes", d: places.cellMiddles.map((m) => circleAt(m)).join("") }, whole);
    this._glow = make("line", { class: "glow", visibility: "hidden" }, whole);
    const edges = layer("edges");
    /** @type {Map<number, SVGLineElement>} */
    this.edges = new Map();
    for (const [action, ends] of places.ends)
      this.edges.set(action, make("line", { ...lineBetween(...ends), pathLength: 1 }, edges));
    if (geometry.dots) {
      const d = geometry.points.map(([x, y]) => `M${x * UNIT} ${y * UNIT}h0`).join("");
      make("path", { class: "dots", d }, whole);
    }
    const pieces = layer("pieces");
    this._grounds = places.cells.map((corners) => make("path", { d: polygon(corners) }, grounds));
    this._pieces = places.cellMiddles.map((middle) => this._makePiece(middle, pieces));
    this.labels = layer("labels");
    this.marks = layer("marks");
    this.lengths = lengthsOf(this.unit);
    this._place();
  }

  /**
   * @param {Point} middle
   * @param {Element} parent
   */
  _makePiece([x, y], parent) {
    const { pieces } = this.geometry;
    if (pieces === "disc" || pieces === "object")
      return make("path", { d: circleAt([x, y]) }, parent);
    if (pieces === "sign") return make("path", {}, parent);
    return make("text", { x: x * UNIT, y: y * UNIT }, parent);
  }

  /** The lengths of strokes and letters as CSS variables. */
  get lengthsStyle() {
    const letters = Math.max(1, ...this._signs.map((sign) => sign.length));
    const all = { ...this.lengths, letter: letters < 2 ? 0.5 : 0.36 };
    return Object.entries(all).map(([name, length]) => ({ name: `--w-${name}`, value: `${length * UNIT}px` }));
  }

  // -- size and magnification -------------------------------------------------------------------

  /**
   * Fit the board into `width` x `height` pixels.
   * @param {number} width
   * @param {number} height
   */
  resize(width, height) {
    const { left, top } = this.svg.getBoundingClientRect();
    this.layout = fit(this.geometry, width, height, globalThis.devicePixelRatio || 1, [left % 1, top % 1], this._rim);
    this._place();
  }

  /**
   * Write letters and numbers on the rim by `maker`, or none; `resize` then places them.
   * @param {typeof import("./rim.js") | null} maker
   */
  setRim(maker) {
    this._rimMaker = maker;
    this._rim = maker?.findRim(this.places.middles, this.geometry.names) ?? NO_RIM;
    this._labels.replaceChildren();
  }

  /** The number of pixels of a board unit, magnified. */
  get unit() {
    return this.layout.unit * this.zoom.times;
  }

  /**
   * Show the board `times` as large, with the point (x, y) as near to the middle as possible.
   * @param {number} times
   * @param {number} x
   * @param {number} y
   */
  magnify(times, x, y) {
    const { width, height, unit, margin, beside, below } = this.layout;
    /** @param {number} at @param {number} length @param {number} px @param {number} before @param {number} after */
    const inside = (at, length, px, before, after) => {
      const half = px / (2 * unit * times);
      const [first, last] = [-(margin + before) / unit, length + (margin + after) / unit];
      if (2 * half >= last - first) return length / 2;
      return Math.min(last - half, Math.max(first + half, at));
    };
    this.zoom = {
      times,
      x: times === 1 ? this.geometry.width / 2 : inside(x, this.geometry.width, width, beside, 0),
      y: times === 1 ? this.geometry.height / 2 : inside(y, this.geometry.height, height, 0, below),
    };
    this._place();
  }

  _place() {
    const { layout, svg, unit, zoom, geometry } = this;
    const wide = layout.width / unit;
    const high = layout.height / unit;
    const whole = zoom.times === 1;
    this._left = whole ? -layout.left / unit : zoom.x - wide / 2;
    this._top = whole ? -layout.top / unit : zoom.y - high / 2;
    const box = [this._left, this._top, wide, high].map((length) => length * UNIT);
    set(svg, { viewBox: box.join(" ") });
    const [rim, beside, below] = [layout.margin, layout.beside, layout.below].map((px) => px / layout.unit);
    set(this._plate, {
      x: -(rim + beside) * UNIT,
      y: -rim * UNIT,
      width: (geometry.width + 2 * rim + beside) * UNIT,
      height: (geometry.height + 2 * rim + below) * UNIT,
      rx: Math.min(14 / unit, rim) * UNIT,
    });
    this.lengths = lengthsOf(unit);
    const clear = clearOf(layout.unit) / layout.unit;
    const [x, y] = [-(rim + beside + clear) / 2, geometry.height + (rim + below + clear) / 2];
    this._rimMaker?.writeRim(this._labels, this._rim, x, y, this.lengths.label);
    for (const { name, value } of this.lengthsStyle) svg.style.setProperty(name, value);
  }

  /**
   * Return the point of the board, in board units, at a pixel of the element.
   * @param {number} x from the left of the element
   * @param {number} y from its top
   * @returns {Point}
   */
  pointAt(x, y) {
    return [x / this.unit + (this._left), y / this.unit + (this._top)];
  }

  // -- the position -----------------------------------------------------------------------------

  /**
   * Show a position; `pending` is an unconfirmed move of `mover`.
   *
   * Moves that continue the position before are animated if `now` (in milliseconds) is given.
   * @param {Position} position
   * @param {readonly [string, string]} signs the text in the cells of each seat
   * @param {number | null} pending
   * @param {Seat | null} mover
   * @param {number | null} now
   */
  show(position, signs, pending, mover, now) {
    const picture = pictureOf(this.places, position, signs, pending, mover);
    const before = this._position;
    const found = differences(this._picture, picture);
    if (this._signs.join() !== signs.join()) {
      this._signs = signs;
      this._place();
    }
    for (const action of found.edges) this._paintEdge(action, picture);
    for (const cell of found.cells) this._paintCell(cell, picture);
    if (this._picture?.last !== picture.last) this._paintLast(picture.last);
    this._picture = picture;
    this._position = position;
    if (now === null || before === null || !continues(before, position)) this._fills.clear();
    else this._animate(found, position.played.slice(before.played.length), now);
  }

  /**
   * @param {number} action
   * @param {Picture} picture
   */
  _paintEdge(action, picture) {
    const edge = /** @type {SVGLineElement} */ (this.edges.get(action));
    this._stop(edge);
    this._set(edge, "class", `edge ${picture.edges.get(action)}`);
  }

  /**
   * @param {number} cell
   * @param {Picture} picture
   */
  _paintCell(cell, picture) {
    const [ground, piece] = [this._grounds[cell], this._pieces[cell]];
    for (const element of [ground, piece]) this._stop(element);
    this._set(ground, "class", `ground ${picture.cells[cell]}`);
    this._set(piece, "class", `piece ${picture.cells[cell]}`);
    const letters = picture.letters[cell];
    if (piece instanceof SVGTextElement) {
      if (piece.textContent !== letters) piece.textContent = letters;
    } else if (this.geometry.pieces === "disc") {
      this._set(piece, "d", discPath(this.places.cellMiddles[cell], picture.owners[cell]));
    } else if (this.geometry.pieces === "sign") {
      this._set(piece, "d", letters && signPath(letters, this.places.cellMiddles[cell]));
    }
  }

  /** @param {number | null} action */
  _paintLast(action) {
    const ends = action === null ? undefined : this.places.ends.get(action);
    this._set(this._glow, "visibility", ends ? "visible" : "hidden");
    if (ends) for (const [name, value] of Object.entries(lineBetween(...ends))) this._set(this._glow, name, value);
  }

  /**
   * Write an attribute if it differs.
   * @param {Element} element
   * @param {string} name
   * @param {string | number} value
   */
  _set(element, name, value) {
    const text = String(value);
    if (element.getAttribute(name) !== text) element.setAttribute(name, text);
  }

  // -- motion -----------------------------------------------------------------------------------

  /**
   * Let an edge grow from where it was touched.
   * @param {number} action
   * @param {Point} point in board units
   */
  touched(action, [x, y]) {
    const ends = this.places.ends.get(action);
    if (ends === undefined) return;
    const [[left, top], [right, bottom]] = ends;
    const [across, down] = [right - left, bottom - top];
    const at = ((x - left) * across + (y - top) * down) / (across * across + down * down);
    this._touched = { action, at: Math.min(1, Math.max(0, at)) };
  }

  /**
   * @param {{drawn: number[], won: number[]}} found
   * @param {readonly number[]} moves
   * @param {number} now
   */
  _animate(found, moves, now) {
    if (globalThis.matchMedia?.("(prefers-reduced-motion: reduce)").matches) return;
    for (const action of found.drawn) {
      const start = action === this._touched?.action ? this._touched.at : 0;
      const grow = [{ strokeDasharray: `0 ${start} 0 2` }, { strokeDasharray: "0 0 1 2" }];
      this._move(this.edges.get(action), grow, { duration: GROW_MS, easing: "ease-out" });
    }
    const { pieces } = this.geometry;
    // Signs appear and objects disappear at once; only boxes fill and discs fall.
    if (pieces !== "fill" && pieces !== "disc") return;
    const cells = inOrder(this.places, found.won, moves);
    const waits = this._fills.add(cells.length, now);
    cells.forEach((cell, number) => {
      const timing = { duration: FILL_MS, delay: waits[number], fill: /** @type {const} */ ("backwards") };
      const piece = this._pieces[cell];
      if (pieces === "disc") {
        const above = (this.places.cellMiddles[cell][1] + 0.4) * UNIT;
        const fall = [{ transform: `translateY(${-above}px)` }, { transform: "none" }];
        this._move(piece, fall, { ...timing, easing: "ease-in" });
      } else {
        const fill = [{ transform: "scale(0.4)", opacity: 0 }, { transform: "none", opacity: 1 }];
        this._move(this._grounds[cell], fill, { ...timing, easing: "ease-out" });
        this._move(piece, [{ opacity: 0 }, { opacity: 1 }], timing);
      }
    });
  }

  /**
   * @param {Element | undefined} element
   * @param {Keyframe[]} frames
   * @param {KeyframeAnimationOptions} timing
   */
  _move(element, frames, timing) {
    if (element === undefined) return;
    const animation = element.animate(frames, timing);
    this._moving.set(element, animation);
    animation.onfinish = () => {
      if (this._moving.get(element) === animation) this._moving.delete(element);
    };
  }

  /**
   * End the animation of an element.
   * @param {Element} element
   */
  _stop(element) {
    this._moving.get(element)?.cancel();
    this._moving.delete(element);
  }
}

/**
 * Return the path of the borders between two cells.
 * @param {Geometry} geometry
 */
function gridPath(geometry) {
  /** @type {Map<string, [number, number, number]>} */
  const borders = new Map();
  for (const { corners } of geometry.cells)
    corners.forEach((start, at) => {
      const end = corners[(at + 1) % corners.length];
      const ends = [Math.min(start, end), Math.max(start, end)];
      const known = borders.get(ends.join());
      borders.set(ends.join(), [ends[0], ends[1], (known?.[2] ?? 0) + 1]);
    });
  return [...borders.values()]
    .filter(([, , count]) => count > 1)
    .map(([start, end]) => [geometry.points[start], geometry.points[end]])
    .map(([a, b]) => `M${a[0] * UNIT} ${a[1] * UNIT}L${b[0] * UNIT} ${b[1] * UNIT}`)
    .join("");
}
