// The analysis of a review: ask the server for it, follow its progress, and show what it says.

import { useEffect, useMemo, useState } from "preact/hooks";

import { sentenceOf } from "../../app/app.js";
import { html } from "../../html.js";
import { Analysis } from "../../models/review/analysis.js";
import { Report } from "../../models/review/report.js";
import { parts, tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Switch } from "../../widgets/field.js";
import { offersValues } from "./values.js";

/** @typedef {import("../../models/review/review.js").Review} Review */
/** @typedef {import("../../app/app.js").App} App */
/** @typedef {{code: string, token: string | null}} Access */
/** @typedef {{state: Analysis, ask: () => Promise<void>}} Asked */

/** Under this name the browser keeps whether games are analysed as soon as they are opened. */
const AUTOMATIC = "review.automatic";
const GIVEN_UP = tr("You asked for the analysis of another game meanwhile. Ask for this one again.");

/**
 * Follow the analysis of a game; null for a game that the server does not have. It asks for it only
 * when `ask` is called, or at once if the person has chosen that.
 *
 * @param {App} app
 * @param {Review} review
 * @param {Access | null} access
 * @param {() => void} redraw
 * @returns {Asked | null}
 */
export function useAnalysis(app, review, access, redraw) {
  const asked = useMemo(() => {
    if (access === null) return null;
    const state = new Analysis(review.game.id);
    const take = (/** @type {any} */ answer) => {
      if (!state.take(answer)) return;
      if (state.report !== null) {
        review.report = new Report(state.report, review.geometry, review.game.players);
        app.say(tr("The analysis is here."));
      }
      redraw();
    };
    const fail = (/** @type {string} */ sentence) => {
      state.fail(sentence);
      redraw();
    };
    const ask = async () => {
      if (!state.ask()) return;
      redraw();
      try {
        take(await app.request({ type: "get_review", game_id: review.game.id, code: access.code || null }));
      } catch (error) {
        fail(sentenceOf(error));
      }
    };
    return { state, take, ask, stop: () => fail(GIVEN_UP) };
  }, [review]);
  useEffect(() => {
    if (asked === null) return undefined;
    if (app.storage.get(AUTOMATIC) === true) void asked.ask();
    return app.listen((updates) => {
      if (!updates.some(({ kind }) => kind === "review")) return;
      // The session asks again after a reconnect, and forgets what this player gave up.
      const state = app.session.reviews.get(review.game.id);
      if (state !== undefined) asked.take(state);
      else if (asked.state.begun) asked.stop();
    });
  }, [asked]);
  return asked;
}

/** @param {{app: App, review: Review, asked: Asked | null}} props */
export function AnalysisCard({ app, review, asked }) {
  const { report, game } = review;
  if (asked === null) {
    return html`<section class="card stack" aria-label=${tr("Analysis")}>
      <h2>${tr("Analysis")}</h2>
      <p class="muted">
        ${tr("The server analyses only games that it has, and this one is on your device.")}${offersValues(app, game.game) &&
        html`${" "}${parts("{button} says what each move of a position is worth.", { button: html`<em>${tr("Values")}</em>` })}`}
      </p>
    </section>`;
  }
  if (report === null) return html`<${Ask} app=${app} asked=${asked} now=${`${asked.state.status} ${asked.state.line}`} />`;
  const { headline, sentences } = report.note(0);
  return html`<section class="card stack" aria-label=${tr("Analysis")}>
    <h2>${tr("Analysis")}</h2>
    <dl class="accuracy">
      ${game.players.map(
        (name, seat) => html`<div key=${seat} class=${`seat${seat}`}>
          <dt>${name}</dt>
          <dd class="numbers">
            ${report.accuracy(seat) || "–"} <span class="muted small">${tr("accuracy")}</span>
          </dd>
        </div>`,
      )}
    </dl>
    <p class="small">${[headline, ...sentences].join(" ")}</p>
  </section>`;
}

/**
 * `now` changes with the state, because a component that reads signals is rendered again only for new props.
 * @param {{app: App, asked: Asked, now: string}} props
 */
function Ask({ app, asked }) {
  const { state, ask } = asked;
  const [automatic, setAutomatic] = useState(() => app.storage.get(AUTOMATIC) === true);
  app.topics.of("link").value;
  return html`<section class="card stack" aria-label=${tr("Analysis")}>
    <div class="row apart">
      <h2>${tr("Analysis")}</h2>
      <${Button} kind="primary" busy=${state.waiting} onPress=${ask}>
        ${state.status === "failed" ? tr("Try again") : tr("Analyse")}
      <//>
    </div>
    ${state.waiting &&
    html`<div class="stack tight">
      <p role="status">${state.line}</p>
      <progress aria-label=${tr("Analysis")} max=${state.all || 1} value=${state.status === "working" ? state.done : undefined}></progress>
      <p class="muted small">${tr("You can look at other pages meanwhile. The result is kept.")}</p>
    </div>`}
    ${state.status === "failed" && html`<p class="problem" role="alert">${state.sentence}</p>`}
    ${state.status === "none" &&
    html`<p class="muted small">
      ${app.session.welcome?.reviews === false
        ? tr("This server analyses no games now. It may have kept an analysis of this one.")
        : tr("What each move cost, where the game turned, and what was better.")}
    </p>`}
    <${Switch}
      label=${tr("Analyse games when I open them")}
      checked=${automatic}
      onChange=${(/** @type {boolean} */ on) => {
        setAutomatic(on);
        app.storage.set(AUTOMATIC, on);
      }}
    />
  </section>`;
}
