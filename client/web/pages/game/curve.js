// The curve of a game's score, and the same as a table.

import { html } from "../../html.js";
import { courseOf } from "../../models/game-words.js";
import { tr } from "../../texts.js";
import { LeadCurve } from "../common/lead-curve.js";
import { Table, numbers } from "../common/table.js";

/** @typedef {import("../../models/review/review.js").Review} Review */

/** @param {{review: Review, onPly: (ply: number) => void}} props */
export function ScoreCurve({ review, onPly }) {
  const { report } = review;
  return html`<${LeadCurve}
    players=${review.game.players}
    nets=${review.nets}
    values=${report?.values ?? null}
    turning=${report?.turning ?? null}
    ply=${review.ply}
    says=${`${review.lead} ${report?.turningLine ?? ""}`}
    onPly=${onPly}
  >
    <details class="figures">
      <summary>${tr("As a table")}</summary>
      <${Figures} review=${review} onPly=${onPly} />
    </details>
  <//>`;
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
