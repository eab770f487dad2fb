// Learn: the lessons, the puzzles and the rules.

import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { LinkButton } from "../../widgets/button.js";

export function LearnCard() {
  return html`<section class="card stack tight" aria-labelledby="learning">
    <div class="row apart">
      <h2 id="learning">${tr("Learn")}</h2>
      <a href="/rules">${tr("Rules")}</a>
    </div>
    <div class="ways">
      <${LinkButton} href="/learn">${tr("Lessons")}<//>
      <${LinkButton} href="/puzzle/today">${tr("Puzzle of the day")}<//>
    </div>
    <p class="small"><a href="/puzzles">${tr("All puzzles")}</a></p>
  </section>`;
}
