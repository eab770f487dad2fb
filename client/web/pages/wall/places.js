// The places of the boards on a wall: how large they are, and how they move when they are sorted.

import { useLayoutEffect, useRef } from "preact/hooks";

import { gridOf } from "../../models/wall.js";

/** @typedef {{current: HTMLElement | null}} Box */

const MOVE_MS = 200;
/** The gap between tiles, what a tile has above and below its board, and the narrowest tile, in pixels. */
const TILE = { gap: 24, more: 100, least: 190 };
const NARROW = { gap: 12, more: 100, least: 140 };

/**
 * Make `count` boards as large as the window allows.
 *
 * @param {Box} box of the list
 * @param {number} count
 */
export function useGrid(box, count) {
  useLayoutEffect(() => {
    const element = box.current;
    if (element === null) return undefined;
    const place = () => {
      const width = element.clientWidth;
      const height = window.innerHeight - (element.getBoundingClientRect().top + window.scrollY) - TILE.gap;
      const { columns, size, large } = gridOf(count, { width, height }, width < 600 ? NARROW : TILE);
      // The head of the page is as wide as the boards.
      const { style } = element.parentElement ?? element;
      style.setProperty("--columns", String(columns));
      style.setProperty("--size", `${size}px`);
      element.classList.toggle("first-large", large);
    };
    place();
    const observer = new ResizeObserver(place);
    observer.observe(element);
    window.addEventListener("resize", place);
    return () => {
      observer.disconnect();
      window.removeEventListener("resize", place);
    };
  }, [count]);
}

/**
 * Let boards glide to their new places, so that the eye can follow them.
 *
 * @param {Box} box of the list
 * @param {string} order of the tiles
 */
export function useGlide(box, order) {
  const places = useRef(/** @type {Map<string, [number, number, number]>} */ (new Map()));
  const before = useRef(order);
  useLayoutEffect(() => {
    const old = places.current;
    places.current = new Map();
    const moves = before.current !== order && !matchMedia("(prefers-reduced-motion: reduce)").matches;
    before.current = order;
    for (const tile of /** @type {NodeListOf<HTMLElement>} */ (box.current?.querySelectorAll("[data-room]") ?? [])) {
      const room = tile.dataset.room ?? "";
      const [left, top, width] = [tile.offsetLeft, tile.offsetTop, tile.offsetWidth];
      places.current.set(room, [left, top, width]);
      const [x, y, wide] = old.get(room) ?? [left, top, width];
      if (!moves || (x === left && y === top)) continue;
      const from = `translate(${x - left}px, ${y - top}px) scale(${wide / width})`;
      tile.animate([{ transform: from }, { transform: "none" }], { duration: MOVE_MS, easing: "ease-out" });
    }
  });
}

/**
 * Return the room of the tile that somebody points at or has the focus on, or null.
 *
 * @param {Box} box
 */
export function heldRoom(box) {
  const tile = box.current?.querySelector("[data-room]:is(:hover, :focus-within)");
  return tile instanceof HTMLElement ? (tile.dataset.room ?? null) : null;
}
