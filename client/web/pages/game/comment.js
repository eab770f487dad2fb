// What the analysis says about the move shown: its cost, why, and what was better.

import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Step } from "../../widgets/step.js";

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
    ${note.line.length > 0 &&
    html`<div class="row study-shows">
      <${Line} which="line" title=${tr("Show the better line")} variation=${variation} act=${act} />
      ${note.answer.length > 0 && html`<${Line} which="answer" title=${tr("Show the reply")} variation=${variation} act=${act} />`}
    </div>`}`;
}

/** The buttons that go to the mistakes. @param {{review: Review, act: Act}} props */
export function Mistakes({ review: { report, ply }, act }) {
  if (report === null || !report.mistakes.length) return null;
  const [before, next] = [report.mistake(ply, -1), report.mistake(ply, 1)];
  return html`<div class="step-buttons" role="group" aria-label=${tr("Mistakes")}>
    <${Step} wide name=${tr("Mistake before")} keys="Shift+M" path="M9 5l-6 7 6 7zM17 5v8M17 18v1" off=${before === null} press=${() => act.mistake(-1)} />
    <${Step} wide name=${tr("Next mistake")} keys="M" path="M15 5l6 7-6 7zM7 5v8M7 18v1" off=${next === null} press=${() => act.mistake(1)} />
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
