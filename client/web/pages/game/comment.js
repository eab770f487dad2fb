// What the analysis says about the move shown: its cost, why, and what was better.

import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";

/** @typedef {import("../../models/review/review.js").Review} Review */
/** @typedef {import("./stepping.js").Act} Act */

/** @param {{review: Review, act: Act}} props */
export function Comment({ review, act }) {
  const { report, ply, variation } = review;
  if (report === null) return null;
  const note = report.note(ply);
  const turned = ply > 0 && ply === report.turning;
  return html`<div aria-live="polite">
      <p class="strong">${note.mark && html`<${CostMark} mark=${note.mark} />${" "}`}${note.headline}</p>
      <p>
        ${note.sentences.length > 0 && `${note.sentences.join(" ")} `}
        ${turned && html`<span class="turning-note">${report.turningLine}</span>${" "}`}
        <span class="muted">${note.outlook}</span>
      </p>
    </div>
    <div class="row">
      ${note.line.length > 0 && html`<${Line} which="line" title=${tr("Show the better line")} variation=${variation} act=${act} />`}
      ${note.answer.length > 0 && html`<${Line} which="answer" title=${tr("Show the reply")} variation=${variation} act=${act} />`}
      <${Button} small disabled=${report.mistake(ply, -1) === null} title="Shift+M" onPress=${() => act.mistake(-1)}>${tr("Mistake before")}<//>
      <${Button} small disabled=${report.mistake(ply, 1) === null} title="M" onPress=${() => act.mistake(1)}>${tr("Next mistake")}<//>
    </div>`;
}

/**
 * A button that shows a line, and then leads back; so it keeps the focus.
 * @param {{which: "line" | "answer", title: string, variation: Review["variation"], act: Act}} props
 */
function Line({ which, title, variation, act }) {
  const shown = variation?.which === which;
  return html`<${Button} small pressed=${shown} disabled=${variation !== null && !shown} onPress=${() => (shown ? act.leave() : act.show(which))}>
    ${title}
  <//>`;
}

/**
 * The cost of a move, such as `−2`: colour and number say the same.
 * @param {{mark: import("../../models/review/report.js").Mark}} props
 */
export function CostMark({ mark }) {
  return html`<span class=${`cost-mark tier${mark.tier}`}
    ><span aria-hidden="true">${mark.text}</span><span class="visually-hidden"> ${tr("cost {cost}", { cost: mark.words })}</span></span>`;
}
