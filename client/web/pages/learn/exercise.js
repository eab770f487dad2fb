// One exercise of a lesson: the lesson's words first, then the task, what happened, and what to do next.

import { useEffect, useMemo, useState } from "preact/hooks";

import { keep, kept } from "../../app/kept.js";
import { html } from "../../html.js";
import { LessonSession } from "../../models/learn/lesson.js";
import { plain } from "../../models/learn/text.js";
import { NOT_A_NUMBER, doneLine, lessonMessage, nextHint, numberIn, youAre } from "../../models/learn/words.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Field } from "../../widgets/field.js";
import { Overlays, StepBar, Study, overlayKeys, stepKeys, useLine, useSteps, useStudyKeys } from "../common/study.js";
import { useAsking } from "./asking.js";
import { LearnBoard } from "./board.js";
import { Explained, Problem, Said } from "./parts.js";

/** @typedef {import("../../types/api.js").LessonExercise} LessonExercise */

const FEATURES = { features: true, policy: false };

/**
 * @param {{app: import("../../app/app.js").App, exercise: LessonExercise, head: import("preact").ComponentChildren,
 *   heading: string, label: string, geometry: import("../../types/api.js").GameGeometry, onSolved: () => void,
 *   forward: string, onForward: () => void, texts: readonly string[], terms: Record<string, string>, page: number,
 *   onPage: (page: number) => void}} props
 *   `label`: of the board; `forward`: what comes after this exercise; `page`: the paragraph of `texts` that is read,
 *   behind the last one the exercise
 */
export function Exercise({ app, exercise, head, heading, label, geometry, onSolved, forward, onForward, texts, terms, page, onPage }) {
  const session = useMemo(() => new LessonSession(exercise, geometry.names, kept("exercise")), [exercise]);
  useEffect(() => keep("exercise", session.kept));
  const [hint, setHint] = useState("");
  const { problem, again, changed } = useAsking(session, exercise);
  const { kind, seat } = exercise;
  const { status } = session;
  const solved = status === "solved";
  useEffect(() => {
    if (solved) onSolved();
  }, [solved]);
  const act = (/** @type {() => unknown} */ run) => {
    if (run() === false) return;
    setHint("");
    changed();
  };
  const reading = page < texts.length;
  const watching = kind === "watch";
  const plays = kind === "best" || kind === "play";
  const outlines = solved || !["count", "find"].includes(kind);
  const marked = session.marked.length ? session.marked : [...session.found];
  const begun = session.moves.length > 0 || session.found.size > 0;
  const you = [plays && youAre(seat, session.position), doneLine(session)].filter(Boolean).join(" · ");
  const played = useLine(app, session.moves.length, session);
  const watched = useSteps(app, session.moves.length, exercise.steps.length, (at) =>
    act(() => {
      for (let by = at - session.moves.length; by; by -= Math.sign(by)) session.step(Math.sign(by));
    }),
  );
  const steps = watching ? watched : played;
  const ask = () => setHint(nextHint(session));
  useStudyKeys(app, [
    ...stepKeys(steps),
    ...(watching ? [] : [{ keys: "H", what: tr("Hint"), on: { h: () => status === "yours" && !reading && ask() } }]),
    ...overlayKeys(app, { ...FEATURES, features: outlines }),
  ]);
  const words = reading
    ? html`<${Explained} key=${page} text=${texts[page]} terms=${terms} />
        <p class="muted small">${tr("{number} of {count}", { number: page + 1, count: texts.length })}</p>`
    : html`<h2>${heading}</h2>
        <p>${plain(exercise.task)}</p>
        ${you && html`<p key=${you} class=${plays ? `seat${seat} strong` : "muted"}>${you}</p>`}
        <${Said} message=${lessonMessage(session, hint)} />
        <${Problem} problem=${problem} again=${again} />
        ${kind === "count" && !solved && html`<${Count} onEnter=${(/** @type {number} */ number) => act(() => session.enter(number))} />`}`;
  return html`<${Study}
    geometry=${geometry}
    head=${head}
    board=${html`<${LearnBoard}
      app=${app}
      geometry=${geometry}
      session=${session}
      first=${exercise.moves}
      playable=${status === "yours" && !reading}
      at=${watching ? undefined : played.at}
      watch=${watching || kind === "count"}
      marked=${played.at === session.moves.length ? marked : []}
      outlines=${outlines && app.settings.overlay.value}
      label=${label}
      onPlay=${(/** @type {number} */ action) => act(() => session.play(action))}
    />`}
    words=${words}
    options=${html`
      ${outlines && html`<${Overlays} app=${app} ...${FEATURES} />`}
      ${!reading && html`<${Button} small onPress=${() => onPage(0)}>${tr("What this lesson says")}<//>`}`}
    steps=${reading
      ? html`<${Button} disabled=${page === 0} onPress=${() => onPage(page - 1)}>${tr("Back")}<//>
          <${Button} kind="primary" class="grow" onPress=${() => onPage(page + 1)}>
            ${page + 1 < texts.length ? tr("Next") : tr("To the exercise")}
          <//>`
      : html`${(watching || begun) && kind !== "find" && html`<${StepBar} steps=${steps} />`}
          ${!watching && status !== "wrong" && html`<${Button} disabled=${status !== "yours"} onPress=${ask}>${tr("Hint")}<//>`}
          ${status === "wrong"
            ? html`<${Button} kind="primary" onPress=${() => act(() => session.retry())}>${tr("Take it back")}<//>`
            : plays && begun && html`<${Button} onPress=${() => act(() => session.restart())}>${tr("Begin again")}<//>`}
          <${Button} kind=${solved ? "primary" : undefined} class="forward" onPress=${onForward}>${forward}<//>`}
  />`;
}

/** @param {{onEnter: (number: number) => void}} props */
function Count({ onEnter }) {
  const [text, setText] = useState("");
  const [problem, setProblem] = useState("");
  const enter = (/** @type {Event} */ event) => {
    event.preventDefault();
    const number = numberIn(text);
    setProblem(number === null ? NOT_A_NUMBER : "");
    if (number !== null) onEnter(number);
  };
  return html`<form class="row filters" onSubmit=${enter}>
    <${Field} label=${tr("Your answer")} value=${text} onInput=${setText} problem=${problem} narrow inputmode="numeric" />
    <${Button} kind="primary" type="submit">${tr("Check")}<//>
  </form>`;
}
