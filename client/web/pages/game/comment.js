// What the analysis says about the move shown: its cost, why, and what was better.

import { html } from "../../html.js";
import { Button } from "../../widgets/button.js";

/** @typedef {import("../../models/review/review.js").Review} Review */
/** @typedef {import("./stepping.js").Act} Act */

/** @param {{review: Review, act: Act}} props */
export function CommentCard({ review, act }) {
  const { report, ply, variation } = review;
  if (report === null) return null;
  const note = report.note(ply);
  const turned = ply > 0 && ply === report.turning;
  return html`<section class="card stack comment" aria-label="What the analysis says">
    <div class="row apart">
      <h2>${ply ? `Move ${ply}` : "The game"}${note.mark && html`${" "}<${CostMark} mark=${note.mark} />`}</h2>
      <div class="row mistakes" role="group" aria-label="Mistakes">
        <${Button} small disabled=${report.mistake(ply, -1) === null} title="Shift+M" onPress=${() => act.mistake(-1)}>Mistake before<//>
        <${Button} small disabled=${report.mistake(ply, 1) === null} title="M" onPress=${() => act.mistake(1)}>Next mistake<//>
      </div>
    </div>
    <div aria-live="polite" class="stack tight">
      <p class="comment-head">${note.headline}</p>
      ${note.sentences.map((sentence) => html`<p>${sentence}</p>`)}
      ${turned && html`<p class="turning-note">${report.turningLine}</p>`}
      <p class="muted">${note.outlook}</p>
    </div>
    <div class="row">
      ${variation !== null && html`<${Button} title="Escape" onPress=${act.leave}>Back to the game<//>`}
      ${variation === null && note.line.length > 0 &&
      html`<${Button} title="L" onPress=${() => act.show("line")}>Show the better line<//>`}
      ${variation === null && note.answer.length > 0 &&
      html`<${Button} onPress=${() => act.show("answer")}>Show the reply<//>`}
    </div>
  </section>`;
}

/**
 * The cost of a move, such as `−2`: colour and number say the same.
 * @param {{mark: import("../../models/review/report.js").Mark}} props
 */
export function CostMark({ mark }) {
  return html`<span class=${`cost-mark tier${mark.tier}`}
    ><span aria-hidden="true">${mark.text}</span><span class="visually-hidden"> cost ${mark.words}</span></span
  >`;
}
