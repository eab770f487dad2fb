// One exercise of a lesson: task, board, what happened, and what to do next.

import { useEffect, useMemo, useState } from "preact/hooks";

import { html } from "../../html.js";
import { LessonSession } from "../../models/learn/lesson.js";
import { plain } from "../../models/learn/text.js";
import { NOT_A_NUMBER, doneLine, lessonMessage, nextHint, numberIn, youAre } from "../../models/learn/words.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";
import { Field } from "../../widgets/field.js";
import { Overlays } from "../common/overlays.js";
import { useAsking } from "./asking.js";
import { LearnBoard } from "./board.js";
import { Problem, Said } from "./parts.js";

/** @typedef {import("../../types/api.js").LessonExercise} LessonExercise */

/**
 * @param {{app: import("../../app/app.js").App, exercise: LessonExercise, heading: string, label: string,
 *   geometry: import("../../types/api.js").GameGeometry, onSolved: () => void, forward: string,
 *   onForward: () => void, onBack: (() => void) | null, children?: import("preact").ComponentChildren}} props
 *   `label`: of the board; `forward`: what comes after this exercise; `children`: the text of the lesson
 */
export function Exercise({ app, exercise, heading, label, geometry, onSolved, forward, onForward, onBack, children }) {
  const session = useMemo(() => new LessonSession(exercise, geometry.names), [exercise]);
  const [hint, setHint] = useState("");
  const { problem, again, changed } = useAsking(session, exercise);
  const { kind, seat } = exercise;
  const { status } = session;
  const solved = status === "solved";
  useEffect(() => {
    if (solved) onSolved();
  }, [solved]);
  const act = (/** @type {() => unknown} */ run) => () => {
    if (run() === false) return;
    setHint("");
    changed();
  };
  const watching = kind === "watch";
  const plays = kind === "best" || kind === "play";
  const outlines = solved || !["count", "find"].includes(kind);
  const marked = session.marked.length ? session.marked : [...session.found];
  const stepsLeft = watching && session.moves.length < exercise.steps.length;
  const begun = session.moves.length > 0 || session.found.size > 0;
  const you = [plays && youAre(seat, session.position), doneLine(session)].filter(Boolean).join(" · ");
  return html`<div class="learn">
    ${children}
    <div class="learn-task stack tight">
      <h2>${heading}</h2>
      <p>${plain(exercise.task)}</p>
      ${you && html`<p key=${you} class=${plays ? `seat${seat} strong` : "muted"}>${you}</p>`}
    </div>
    <div class="learn-board">
      <${LearnBoard}
        app=${app}
        geometry=${geometry}
        session=${session}
        first=${exercise.moves}
        playable=${status === "yours"}
        watch=${watching || kind === "count"}
        marked=${marked}
        outlines=${outlines && app.settings.overlay.value}
        label=${label}
        onPlay=${(/** @type {number} */ action) => act(() => session.play(action))()}
      />
      ${outlines && html`<div class="row"><${Overlays} app=${app} features=${true} policy=${false} /></div>`}
    </div>
    <div class="learn-side stack">
      <${Said} message=${lessonMessage(session, hint)} />
      <${Problem} problem=${problem} again=${again} />
      ${kind === "count" && !solved && html`<${Count} onEnter=${(/** @type {number} */ number) => act(() => session.enter(number))()} />`}
      <div class="row">
        ${watching &&
        html`<${Button} disabled=${!begun} onPress=${act(() => session.step(-1))}>${tr("Previous move")}<//>
          <${Button} kind="primary" disabled=${!stepsLeft} onPress=${act(() => session.step(1))}>${tr("Next move")}<//>`}
        ${!watching && html`<${Button} disabled=${status !== "yours"} onPress=${() => setHint(nextHint(session))}>${tr("Hint")}<//>`}
        ${!watching &&
        kind !== "count" &&
        html`<${Button} disabled=${!begun} kind=${status === "wrong" ? "primary" : undefined}
          onPress=${act(() => (status === "wrong" ? session.retry() : session.restart()))}>
          ${status === "wrong" ? tr("Take it back") : tr("Begin again")}<//>`}
      </div>
      <div class="row">
        <${Button} disabled=${onBack === null} onPress=${() => onBack?.()}>${tr("Previous exercise")}<//>
        <${Button} kind=${solved ? "primary" : undefined} onPress=${onForward}>${forward}<//>
      </div>
    </div>
  </div>`;
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
  return html`<form class="row learn-count" onSubmit=${enter}>
    <${Field} label=${tr("Your answer")} value=${text} onInput=${setText} problem=${problem} narrow inputmode="numeric" />
    <${Button} kind="primary" type="submit">${tr("Check")}<//>
  </form>`;
}
