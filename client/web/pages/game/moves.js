// The list of the moves of a game by turn; the move shown is marked and stays in view.

import { useRef } from "preact/hooks";

import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { useShownMove } from "../../widgets/shown-move.js";
import { CostMark } from "./comment.js";

/** @typedef {import("../../models/review/review.js").Review} Review */

/** @param {{review: Review, onPly: (ply: number) => void}} props */
export function MoveList({ review, onPly }) {
  const box = useRef(/** @type {HTMLOListElement | null} */ (null));
  useShownMove(box, [review.ply, review.report]);
  if (!review.total) return html`<p class="muted">${tr("No move was played.")}</p>`;
  return html`<ol class="turns" role="list" ref=${box} aria-label=${tr("Moves by turn")}>
    ${review.turns.map(
      (turn) => html`<li class=${`turn seat${turn.seat}`} key=${turn.number}>
        <span class="turn-number numbers muted small">${turn.number}</span>
        <span class="seat-mark small-mark" aria-hidden="true">${review.initials[turn.seat]}</span>
        <span class="visually-hidden">${review.game.players[turn.seat]}:</span>
        <span class="turn-moves">
          ${turn.moves.map(({ ply, name }) => {
            const mark = review.report?.marks[ply - 1];
            return html`<button
              type="button"
              key=${ply}
              class=${mark ? `move tier${mark.tier}` : "move"}
              title=${mark ? tr("Cost {cost}", { cost: mark.words }) : undefined}
              tabindex=${ply === Math.max(1, review.ply) ? 0 : -1}
              aria-current=${ply === review.ply ? "step" : undefined}
              onClick=${() => onPly(ply)}
            >
              ${name}${mark && html`<${CostMark} mark=${mark} />`}${ply === review.report?.turning &&
              html`<span title=${tr("The turning point")}><span aria-hidden="true">⚑</span><span class="visually-hidden"> ${tr("turning point")}</span></span>`}
            </button>`;
          })}
        </span>
      </li>`,
    )}
  </ol>`;
}
