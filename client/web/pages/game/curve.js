// The curve of the score over a game: who was ahead after each move, and by how much.

import { useMemo } from "preact/hooks";

import { html } from "../../html.js";
import { courseOf } from "../../models/game-words.js";
import { expectedOf } from "../../models/review/expected.js";
import { tr } from "../../texts.js";
import { Plot, axisOf, drawVertical } from "../../widgets/plot.js";
import { Table, numbers } from "../common/table.js";

/** @typedef {import("../../models/review/review.js").Review} Review */
/** @typedef {import("../../widgets/plot.js").Colour} Colour */

const HEIGHT_PX = 130;

/** @param {{review: Review, onPly: (ply: number) => void}} props */
export function ScoreCurve({ review, onPly }) {
  const { report } = review;
  const data = useMemo(() => {
    const plies = review.nets.map((_, ply) => ply);
    const played = [
      plies,
      review.nets.map((net) => Math.max(0, net)),
      review.nets.map((net) => Math.min(0, net)),
      review.nets,
    ];
    if (report === null) return played;
    const { high, low, guessed, proved } = expectedOf(report.values);
    return [...played, high, low, guessed, proved];
  }, [review, report]);
  const [first, second] = review.game.players;
  const turning = report?.turning ?? null;
  return html`
    <p class="legend small">
      <span class="seat0"><span class="swatch" aria-hidden="true"></span>${tr("{name} ahead", { name: first })}</span>
      <span class="seat1"><span class="swatch" aria-hidden="true"></span>${tr("{name} ahead", { name: second })}</span>
      ${report !== null &&
      html`<span><svg class="dash proved" viewBox="0 0 24 10" width="24" height="10" aria-hidden="true"><path d="M0 5H24" /></svg>${tr("final score with best play")}</span>
        <span><svg class="dash" viewBox="0 0 24 10" width="24" height="10" aria-hidden="true"><path class="band" d="M0 5H24" /><path d="M0 5H24" /></svg>${tr("estimate, with its error")}</span>`}
      ${turning !== null &&
      html`<span><svg class="dash turn" viewBox="0 0 8 16" width="8" height="16" aria-hidden="true"><path d="M4 0V16" /></svg>${tr("turning point")}</span>`}
    </p>
    <${Plot}
      label=${`${report === null ? tr("The lead after each move.") : tr("The lead after each move, and the final score with best play.")} ${review.lead} ${report?.turningLine ?? ""}`}
      data=${data}
      options=${(/** @type {Colour} */ colour, /** @type {any} */ uPlot) => options(colour, uPlot, report === null ? null : { turning })}
      height=${HEIGHT_PX}
      mark=${review.ply}
      onPick=${onPly}
    >
      <details class="figures">
        <summary>${tr("As a table")}</summary>
        <${Figures} review=${review} onPly=${onPly} />
      </details>
    <//>
  `;
}

/** @param {{review: Review, onPly: (ply: number) => void}} props */
function Figures({ review, onPly }) {
  return html`<${Table}
    caption=${tr("The score after each turn")}
    region=${tr("The score after each turn")}
    tall
    head=${[tr("Move"), tr("Player"), tr("Moves"), numbers(tr("Score")), review.report && numbers(tr("Expected"))]}
  >
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
        ${review.report !== null && html`<td class="right numbers">${review.report.valueText(turn.ply)}</td>`}
      </tr>`,
    )}
  <//>`;
}

/**
 * @param {Colour} colour
 * @param {any} uPlot
 * @param {{turning: number | null} | null} analysed the turning point; null: without an analysis
 */
function options(colour, uPlot, analysed) {
  const turning = analysed?.turning ?? null;
  const stepped = uPlot.paths.stepped({ align: -1 });
  const lead = (/** @type {string} */ seat) => ({
    fill: colour(`--${seat}-soft`),
    width: 0,
    paths: stepped,
    points: { show: false },
    fillTo: 0,
  });
  const plain = { width: 0, paths: stepped, points: { show: false } };
  const line = { ...plain, stroke: colour(analysed ? "--muted" : "--text"), width: analysed ? 1 : 1.5 };
  const expected = { ...plain, stroke: colour("--accent"), width: 2.5 };
  // The fourth and fifth columns are the upper and the lower edge of the estimates.
  const bands = analysed ? [{ series: [4, 5], fill: `${colour("--accent")}40` }] : [];
  const more = analysed ? [plain, plain, { ...expected, dash: [4, 4] }, expected] : [];
  const axis = axisOf(colour);
  return {
    legend: { show: false },
    cursor: { y: false, points: { show: false }, drag: { x: false, y: false } },
    scales: {
      x: { time: false },
      y: { range: (/** @type {any} */ _, /** @type {number} */ low, /** @type {number} */ high) => [Math.min(low, -1) - 0.3, Math.max(high, 1) + 0.3] },
    },
    series: [{}, lead("seat0"), lead("seat1"), line, ...more],
    bands,
    hooks: {
      draw: turning === null ? [] : [(/** @type {any} */ plot) => drawVertical(plot, turning, colour("--last"), 3, [3, 3])],
    },
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
