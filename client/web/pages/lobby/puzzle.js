// The puzzle of the day as a board, and the ways to learn.

import { useEffect, useState } from "preact/hooks";

import { whenIdle } from "../../app/idle.js";
import { Board } from "../../board/board.js";
import { html } from "../../html.js";
import { getJson } from "../../net/api.js";
import { tr } from "../../texts.js";
import { useLoaded } from "../common/load.js";

const SEATS = [
  { name: "A", initial: "A" },
  { name: "B", initial: "B" },
];

export function PuzzlePart() {
  const [idle, setIdle] = useState(false);
  useEffect(() => whenIdle(() => setIdle(true)), []);
  const { value } = useLoaded((signal) => today(signal), idle ? "today" : null);
  return html`<section class="lobby-part" aria-labelledby="learning">
    <div class="row apart">
      <h2 id="learning">${tr("Learn")}</h2>
      <span><a href="/learn">${tr("Lessons")}</a> · <a href="/puzzles">${tr("All puzzles")}</a> · <a href="/rules">${tr("Rules")}</a></span>
    </div>
    <a class="puzzle-link" href="/puzzle/today">
      <span class="puzzle-board"
        >${value && html`<${Board} geometry=${value.geometry} position=${value.position} seats=${SEATS} mode="still" label=${tr("board")} />`}</span
      >
      <span class="puzzle-text"><strong>${tr("Puzzle of the day")}</strong>
        <span class="muted small">${value && tr(value.question)}</span></span>
    </a>
  </section>`;
}

/**
 * Return the question of the puzzle of the day, and its board.
 * @param {AbortSignal} signal
 */
async function today(signal) {
  /** @type {import("../../types/api.js").PuzzleAnswer} */
  const { game, size, moves, question } = await getJson("/api/puzzles/today", {}, { signal });
  const [geometry, { positions }] = await Promise.all([
    getJson("/api/geometry", { game, size }, { signal }),
    getJson("/api/positions", { game, size, moves }, { signal }),
  ]);
  const drawers = positions.slice(0, -1).map((/** @type {any} */ each) => each.to_move);
  return { question, geometry, position: { ...positions.at(-1), played: moves, drawers, last: null, toMove: null } };
}
