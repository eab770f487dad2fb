// The rules at /rules: each game in words, and how to play on this page.

import { useEffect, useState } from "preact/hooks";

import { html } from "../html.js";
import { tr } from "../texts.js";
import { Busy } from "../widgets/busy.js";
import { LinkButton } from "../widgets/button.js";
import { PageHead, useTitle } from "./common/parts.js";
import { ChainPicture } from "./rules/chain.js";
import { TrialBoard } from "./rules/trial.js";
import { HowToPlay } from "./rules/how.js";
import { WORDS } from "./rules/words.js";

/** @typedef {import("../types/api.js").CatalogueGame} CatalogueGame */

/** @param {{app: import("../app/app.js").App}} props */
export function RulesPage({ app }) {
  useTitle(app, tr("Rules"));
  const [failed, setFailed] = useState(false);
  useEffect(() => void app.catalogue().catch(() => setFailed(true)), []);
  const games = app.games.known.value?.games ?? [];
  // The browser looks for the place before the games are known.
  useEffect(() => {
    if (games.length && location.hash) document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, [games.length]);
  return html`<div class="page rules-page">
    <${PageHead} title=${tr("Rules")} about=${tr("The games of this server, and how to play them here.")}
      actions=${html`<${LinkButton} href="/learn">${tr("Lessons")}<//> <${LinkButton} href="/puzzles">${tr("Puzzles")}<//>`} />
    ${!games.length && !failed
      ? html`<${Busy}>${tr("Loading the games ...")}<//>`
      : html`<nav class="row rules-nav" aria-label=${tr("On this page")}>
      ${games.map((each) => html`<a class="chip" key=${each.key} href=${`#${each.key}`}>${tr(each.title)}</a>`)}
      <a class="chip" href="#how">${tr("How to play here")}</a>
    </nav>
    <div class="stack">
      ${failed &&
      html`<p class="card">${tr("The list of games could not be loaded. Load the page again to see it.")}</p>`}
      ${games.map((each) => html`<${Game} key=${each.key} app=${app} game=${each} />`)}
      <${HowToPlay} />
    </div>`}
  </div>`;
}

/** @param {{app: import("../app/app.js").App, game: CatalogueGame}} props */
function Game({ app, game }) {
  const words = WORDS[game.key];
  return html`<section class="card rules-game" id=${game.key} aria-labelledby=${`${game.key}-title`}>
    <div class="rules-text stack tight">
      <h2 id=${`${game.key}-title`}>${tr(game.title)}</h2>
      ${words === undefined
        ? html`<p>${tr("The board shows what may be played.")} ${goal(game)}</p>`
        : words.rules.map((sentence) => html`<p key=${sentence}>${sentence}</p>`)}
      ${words?.tips && html`<h3>${tr("Worth knowing")}</h3>
        <ul class="tips">
          ${words.tips.map(([term, text]) => html`<li key=${term}><strong>${term}.</strong> ${text}</li>`)}
        </ul>`}
      ${game.key === "dots-and-boxes" && html`<${ChainPicture} />`}
      <p><${LinkButton} kind="primary" href="/">${tr("Play it")}<//></p>
    </div>
    <${TrialBoard} app=${app} game=${game} size=${words?.trial ?? {}} />
  </section>`;
}

/** @param {CatalogueGame} game */
function goal({ unit }) {
  return unit ? tr("Who has more {unit} at the end wins.", { unit: tr(unit) }) : "";
}
