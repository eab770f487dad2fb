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
    if (review.report === null && app.storage.get(AUTOMATIC) === true) void asked.ask();
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

/** How well both played, and what the analysis says about the whole game. @param {{review: Review}} props */
export function Analysed({ review: { report, game } }) {
  if (report === null) return null;
  const { headline, sentences } = report.note(0);
  return html`<p class="small">
    ${game.players.map(
      (name, seat) => html`<span key=${seat} class=${`accuracy seat${seat}`}>${name} <b class="numbers">${report.accuracy(seat) || "–"}</b> ${tr("accuracy")}</span>${" · "}`,
    )}${[headline, ...sentences].join(" ")}
  </p>`;
}

/**
 * `now` changes with the state, because a component that reads signals is rendered again only for new props.
 * @param {{app: App, review: Review, asked: Asked | null, now: string}} props
 */
export function AskAnalysis({ app, review, asked }) {
  app.topics.of("link").value;
  if (asked === null) {
    return html`<p class="muted small">
      ${tr("The server analyses only games that it has, and this one is on your device.")}${offersValues(app, review.game.game) &&
      html`${" "}${parts("{button} says what each move of a position is worth.", { button: html`<em>${tr("Values")}</em>` })}`}
    </p>`;
  }
  const { state, ask } = asked;
  if (state.waiting) {
    return html`<p role="status">${state.line}</p>
      <progress aria-label=${tr("Analysis")} max=${state.all || 1} value=${state.status === "working" ? state.done : undefined}></progress>
      <p class="muted small">${tr("You can look at other pages meanwhile. The result is kept.")}</p>`;
  }
  return html`<div class="study-ask">
    ${state.status === "failed"
      ? html`<p class="problem" role="alert">${state.sentence}</p>`
      : html`<p class="muted">
          ${app.session.welcome?.reviews === false
            ? tr("This server analyses no games now. It may have kept an analysis of this one.")
            : tr("What each move cost, where the game turned, and what was better.")}
        </p>`}
    <${Button} kind="primary" onPress=${ask}>${state.status === "failed" ? tr("Try again") : tr("Analyse")}<//>
  </div>`;
}

/** @param {{app: App}} props */
export function Automatic({ app }) {
  const [automatic, setAutomatic] = useState(() => app.storage.get(AUTOMATIC) === true);
  return html`<${Switch}
    label=${tr("Analyse games when I open them")}
    checked=${automatic}
    onChange=${(/** @type {boolean} */ on) => {
      setAutomatic(on);
      app.storage.set(AUTOMATIC, on);
    }}
  />`;
}
