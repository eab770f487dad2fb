// What a visitor without a name sees first: what this is, and one field and one button to begin.

import { html } from "../../html.js";
import { tr } from "../../texts.js";
import { NameForm } from "../../widgets/name-form.js";
import { Demo } from "./demo.js";

/** @param {{app: import("../../app/app.js").App}} props */
export function Welcome({ app }) {
  return html`<div class="page welcome">
    <section class="welcome-text stack">
      <h1>${tr("Draw an edge. Close a box. Move again.")}</h1>
      <p class="lead">
        ${tr("Play Dots and Boxes against a bot, a friend, or whoever is here. No account, nothing to install.")}
      </p>
      <div class="card"><${NameForm} app=${app} action=${tr("Play")} label=${tr("Your name")} /></div>
      <p class="welcome-links">
        <a href="/watch">${tr("Watch live games")}</a> <a href="/learn">${tr("Learn")}</a> <a href="/rules">${tr("How to play")}</a>
        <a href="/tournaments">${tr("Tournaments")}</a>
      </p>
    </section>
    <div class="welcome-picture"><${Demo} /></div>
  </div>`;
}
