// Learn: the lessons, the puzzles and the rules.

import { html } from "../../html.js";
import { LinkButton } from "../../widgets/button.js";

export function LearnCard() {
  return html`<section class="card stack tight" aria-labelledby="learning">
    <div class="row apart">
      <h2 id="learning">Learn</h2>
      <a href="/rules">Rules</a>
    </div>
    <div class="ways">
      <${LinkButton} href="/learn">Lessons<//>
      <${LinkButton} href="/puzzle/today">Puzzle of the day<//>
    </div>
    <p class="small"><a href="/puzzles">All puzzles</a></p>
  </section>`;
}
