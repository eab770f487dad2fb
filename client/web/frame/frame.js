// The frame around all pages: head, content, dialogs, and what screen readers announce.

import { useEffect } from "preact/hooks";

import { html } from "../html.js";
import { tr } from "../texts.js";
import { Announcement } from "./announcement.js";
import { Dialogs } from "./dialogs.js";
import { Head } from "./head.js";
import { CurrentPage } from "./page.js";

/** @param {{app: import("../app/app.js").App}} props */
export function Frame({ app }) {
  app.topics.of("offers").value;
  const news = app.myTurn.value ? tr("Your turn") : app.session.challenges.size > 0 && tr("Challenge");
  const waiting = app.waiting.length;
  const title = [news, app.title.value, "Doublecross"].filter(Boolean);
  const text = `${waiting ? `(${waiting}) ` : ""}${title.join(" – ")}`;
  useEffect(() => {
    document.title = text;
  }, [text]);
  return html`<div class="frame">
    <a class="skip" href="#main" onClick=${toContent}>${tr("To the content")}</a>
    <${Head} app=${app} />
    <${Announcement} app=${app} />
    <main class="main" id="main" tabindex="-1"><${CurrentPage} app=${app} /></main>
    <${Dialogs} app=${app} />
    <${Spoken} app=${app} />
  </div>`;
}

/**
 * Move the focus without changing the address, which has the code of a private room behind the #.
 * @param {Event} event
 */
function toContent(event) {
  event.preventDefault();
  document.getElementById("main")?.focus();
}

/** @param {{app: import("../app/app.js").App}} props */
function Spoken({ app }) {
  const { text, assertive, count } = app.spoken.value;
  const shown = html`<span key=${count}>${text}</span>`;
  return html`<div class="visually-hidden">
    <div aria-live="polite" aria-atomic="true">${!assertive && shown}</div>
    <div aria-live="assertive" aria-atomic="true">${assertive && shown}</div>
  </div>`;
}
