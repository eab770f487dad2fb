// The curve of a rating, with the range of two deviations around it.

import { useMemo } from "preact/hooks";

import { html } from "../../html.js";
import { ratingColumns } from "../../models/rating.js";
import { knownTitle } from "../../models/title.js";
import { tr } from "../../texts.js";
import { Plot, axisOf } from "../../widgets/plot.js";
import { When } from "../common/parts.js";
import { Table, numbers } from "../common/table.js";

/** @typedef {import("../../types/api.js").RatingCourse} RatingCourse */
/** @typedef {import("../../widgets/plot.js").Colour} Colour */

const HEIGHT_PX = 240;
const FEWEST = 2;

/** @param {{course: RatingCourse}} props */
export function RatingCurve({ course }) {
  const title = knownTitle(course.title);
  const data = useMemo(() => ratingColumns(course), [course]);
  if (course.history.length < FEWEST) {
    return html`<p class="muted small">${tr("The curve appears after the second rated game.")}</p>`;
  }
  return html`<${Plot}
    label=${tr("The rating in {title} after each game", { title })}
    data=${data}
    options=${options}
    height=${HEIGHT_PX}
  >
    <figcaption class="muted small">
      ${tr("{title}: the rating after each game. The band has two deviations on each side, so it contains the true strength with a probability of 95 %.", { title })}
    </figcaption>
    <details class="figures">
      <summary>${tr("As a table")}</summary>
      <${Figures} course=${course} />
    </details>
  <//>`;
}

/** @param {{course: RatingCourse}} props */
function Figures({ course }) {
  const rows = course.history.map(([ms, rating], at) => ({ ms, rating, deviation: course.deviations[at] }));
  return html`<${Table}
    caption=${tr("The rating in {title} after each game, newest first", { title: knownTitle(course.title) })}
    region=${tr("The rating after each game")}
    tall
    head=${[tr("Game ended"), numbers(tr("Rating")), numbers(tr("Deviation"))]}
  >
    ${rows.reverse().map(
      ({ ms, rating, deviation }, at) => html`<tr key=${rows.length - at}>
        <th scope="row"><${When} ms=${ms} /></th>
        <td class="right numbers">${Math.round(rating)}</td>
        <td class="right numbers">${deviation === undefined ? "" : Math.round(deviation)}</td>
      </tr>`,
    )}
  <//>`;
}

/** @param {string} label of an axis */
function named(label) {
  return { label, labelSize: 18, labelFont: "12px system-ui, sans-serif", labelGap: 0 };
}

/** @param {Colour} colour */
function options(colour) {
  const accent = colour("--accent");
  const axis = axisOf(colour);
  const bound = { stroke: "transparent", width: 0, points: { show: false } };
  return {
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false } },
    scales: { x: { time: false } },
    series: [
      {},
      bound,
      bound,
      { stroke: accent, width: 2, points: { show: true, size: 5, fill: accent, stroke: accent } },
    ],
    bands: [{ series: [2, 1], fill: colour("--accent-soft") }],
    axes: [
      { ...axis, ...named(tr("Rated game")), size: 30, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500] },
      { ...axis, ...named(tr("Rating")), size: 52 },
    ],
  };
}
