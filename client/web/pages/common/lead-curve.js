// The curve of the score: who was ahead after each move, by how much, and what best play would have led to.

import { useMemo } from "preact/hooks";

import { html } from "../../html.js";
import { expectedOf } from "../../models/review/expected.js";
import { tr } from "../../texts.js";
import { Plot, axisOf, drawVertical } from "../../widgets/plot.js";

/** @import { ExpectedScore } from "../../models/review/types" */
/** @typedef {import("../../widgets/plot.js").Colour} Colour */

const HEIGHT_PX = 130;

/**
 * @param {{players: readonly string[], nets: readonly number[], values: readonly (ExpectedScore | null)[] | null,
 *   turning?: number | null, ply: number, says?: string, onPly: (ply: number) => void,
 *   children?: import("preact").ComponentChildren}} props `nets`: the lead of the first player after each move; `values`:
 *   the final lead to expect after each move, null where it is unknown; `says`: what the curve shows, in words
 */
export function LeadCurve({ players, nets, values, turning = null, ply, says = "", onPly, children }) {
  const data = useMemo(() => {
    const plies = nets.map((_, at) => at);
    const played = [plies, nets.map((net) => Math.max(0, net)), nets.map((net) => Math.min(0, net)), nets];
    if (values === null) return played;
    const { high, low, guessed, proved } = expectedOf(values);
    return [...played, high, low, guessed, proved];
  }, [nets, values]);
  const [first, second] = players;
  return html`
    <p class="legend small">
      <span class="seat0"><span class="swatch" aria-hidden="true"></span>${tr("{name} ahead", { name: first })}</span>
      <span class="seat1"><span class="swatch" aria-hidden="true"></span>${tr("{name} ahead", { name: second })}</span>
      ${values !== null &&
      html`<span><svg class="dash proved" viewBox="0 0 24 10" width="24" height="10" aria-hidden="true"><path d="M0 5H24" /></svg>${tr("final score with best play")}</span>
        <span><svg class="dash" viewBox="0 0 24 10" width="24" height="10" aria-hidden="true"><path class="band" d="M0 5H24" /><path d="M0 5H24" /></svg>${tr("estimate, with its error")}</span>`}
      ${turning !== null &&
      html`<span><svg class="dash turn" viewBox="0 0 8 16" width="8" height="16" aria-hidden="true"><path d="M4 0V16" /></svg>${tr("turning point")}</span>`}
    </p>
    <${Plot}
      label=${`${values === null ? tr("The lead after each move.") : tr("The lead after each move, and the final score with best play.")} ${says}`}
      data=${data}
      options=${(/** @type {Colour} */ colour, /** @type {any} */ uPlot) => options(colour, uPlot, values === null ? null : { turning })}
      height=${HEIGHT_PX}
      mark=${ply}
      onPick=${onPly}
    >
      ${children}
    <//>
  `;
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
