// The curve of the score over a game: who was ahead after each move, and by how much.

import { useMemo } from "preact/hooks";

import { html } from "../../html.js";
import { courseOf } from "../../models/game-words.js";
import { Plot } from "../../widgets/plot.js";

/** @typedef {import("../../models/review.js").Review} Review */
/** @typedef {import("../../widgets/plot.js").Colour} Colour */

const HEIGHT_PX = 160;

/** @param {{review: Review, onPly: (ply: number) => void}} props */
export function ScoreCurve({ review, onPly }) {
  const data = useMemo(() => {
    const plies = review.nets.map((_, ply) => ply);
    return [
      plies,
      review.nets.map((net) => Math.max(0, net)),
      review.nets.map((net) => Math.min(0, net)),
      review.nets,
    ];
  }, [review]);
  const [first, second] = review.game.players;
  return html`
    <p class="legend small">
      <span class="seat0"><span class="swatch" aria-hidden="true"></span>${first} ahead</span>
      <span class="seat1"><span class="swatch" aria-hidden="true"></span>${second} ahead</span>
    </p>
    <${Plot}
      label=${`The lead after each move. ${review.lead}`}
      data=${data}
      options=${options}
      height=${HEIGHT_PX}
      mark=${review.ply}
      onPick=${onPly}
    >
      <details class="figures">
        <summary>As a table</summary>
        <${Table} review=${review} onPly=${onPly} />
      </details>
    <//>
  `;
}

/** @param {{review: Review, onPly: (ply: number) => void}} props */
function Table({ review, onPly }) {
  return html`<div class="table-box tall" tabindex="0" role="group" aria-label="The score after each turn">
    <table class="table">
      <caption class="visually-hidden">
        The score after each turn
      </caption>
      <thead>
        <tr>
          <th scope="col">Turn</th>
          <th scope="col">Player</th>
          <th scope="col">Moves</th>
          <th scope="col" class="right">Score</th>
        </tr>
      </thead>
      <tbody>
        ${courseOf(review).map(
          (turn) => html`<tr key=${turn.number}>
            <th scope="row" class="numbers">${turn.number}</th>
            <td>${turn.player}</td>
            <td>
              <button type="button" class="as-link" onClick=${() => onPly(turn.ply)}>
                ${turn.moves}
              </button>
            </td>
            <td class="right numbers">${turn.scores}</td>
          </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/**
 * @param {Colour} colour
 * @param {any} uPlot
 */
function options(colour, uPlot) {
  const stepped = uPlot.paths.stepped({ align: -1 });
  const lead = (/** @type {string} */ seat) => ({
    fill: colour(`--${seat}-soft`),
    width: 0,
    paths: stepped,
    points: { show: false },
    fillTo: 0,
  });
  const line = { stroke: colour("--text"), width: 1.5, paths: stepped, points: { show: false } };
  const axis = {
    stroke: colour("--muted"),
    grid: { stroke: colour("--line"), width: 1 },
    ticks: { stroke: colour("--line"), width: 1, size: 4 },
    font: "12px system-ui, sans-serif",
  };
  return {
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false },
      y: { range: (/** @type {any} */ _, /** @type {number} */ low, /** @type {number} */ high) => [Math.min(low, -1) - 0.3, Math.max(high, 1) + 0.3] },
    },
    series: [{}, lead("seat0"), lead("seat1"), line],
    axes: [
      { ...axis, size: 28, incrs: [1, 2, 5, 10, 20, 50, 100] },
      {
        ...axis,
        size: 36,
        incrs: [1, 2, 5, 10, 20, 50],
        values: (/** @type {any} */ _, /** @type {number[]} */ ticks) => ticks.map((net) => (net ? `+${Math.abs(net)}` : "0")),
      },
    ],
  };
}
