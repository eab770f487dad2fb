// The ratings of the best players of a ladder over time.

import { useMemo } from "preact/hooks";

import { html } from "../../html.js";
import { curveColumns } from "../../models/tournament.js";
import { tr } from "../../texts.js";
import { Plot, axisOf } from "../../widgets/plot.js";
import { Table, numbers } from "../common/table.js";
import { When } from "../common/parts.js";

/** @typedef {import("../tournament.js").ReadTournament} ReadTournament */
/** @typedef {import("../../widgets/plot.js").Colour} Colour */

const HEIGHT_PX = 260;
/** The hues of the curves, as far from each other as six can be. */
const HUES = [175, 25, 265, 85, 325, 215];

/** @param {number} at */
const stroke = (at) => `hsl(${HUES[at % HUES.length]} 65% 45%)`;

/** @param {{found: ReadTournament}} props */
export function RatingCurves({ found }) {
  const { curves } = found;
  const data = useMemo(() => curveColumns(curves), [JSON.stringify(curves)]);
  return html`<section class="card stack">
    <h2>${tr("Ratings over time")}</h2>
    <${Plot} label=${tr("The ratings of the best players over time")} data=${data} options=${(/** @type {Colour} */ colour) => options(colour, curves.length)} height=${HEIGHT_PX}>
      <p class="legend small">
        ${curves.map(
          ({ player, engine }, at) => html`<span key=${`${player} ${engine}`}>
            <span class="swatch" style=${{ background: stroke(at) }} aria-hidden="true"></span><bdi>${player}</bdi> ${engine}
          </span>`,
        )}
      </p>
      <details class="figures">
        <summary>${tr("As a table")}</summary>
        <${Table}
          caption=${tr("The ratings of the best players over time")}
          region=${tr("Ratings over time")}
          tall
          head=${[tr("Time"), tr("Player"), numbers(tr("Rating"))]}
        >
          ${curves.flatMap(({ player, engine, points }) =>
            points.map(
              ([ms, rating]) => html`<tr key=${`${player} ${engine} ${ms}`}>
                <th scope="row"><${When} ms=${ms} /></th>
                <td><bdi>${player}</bdi></td>
                <td class="right numbers">${Math.round(rating)}</td>
              </tr>`,
            ),
          )}
        <//>
      </details>
    <//>
  </section>`;
}

/**
 * @param {Colour} colour
 * @param {number} count of the curves
 */
function options(colour, count) {
  return {
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    series: [{}, ...HUES.slice(0, count).map((_, at) => ({ stroke: stroke(at), width: 2, spanGaps: true, points: { show: false } }))],
    axes: [{ ...axisOf(colour) }, { ...axisOf(colour), size: 52 }],
  };
}
