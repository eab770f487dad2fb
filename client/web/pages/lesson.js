// A lesson at /learn/NAME: its text, and its exercises one after the other.

import { useEffect, useMemo, useState } from "preact/hooks";

import { keep, kept } from "../app/kept.js";
import { html } from "../html.js";
import { LessonProgress } from "../models/learn/progress.js";
import { translated } from "../models/learn/text.js";
import { paramsOf } from "../models/learn/words.js";
import { tr } from "../texts.js";
import { Shown, useAnswer, useGeometry } from "./common/load.js";
import { useTitle } from "./common/parts.js";
import { StudyHead } from "./common/study.js";
import { Exercise } from "./learn/exercise.js";

/** @typedef {import("../app/app.js").App} App */
/** @import { LessonAnswer, Lessons } from "../types/api.js" */

/** @param {import("../app/routes.js").PageProps} props */
export function LessonPage({ app, params }) {
  const name = params["name"] ?? "";
  const lesson = useAnswer(`/api/lessons/${encodeURIComponent(name)}`);
  const course = useAnswer("/api/lessons");
  useTitle(app, lesson.value ? tr(lesson.value.title) : tr("Lesson"));
  return html`<div class="page study-page">
    <${Shown} app=${app} loaded=${lesson} what=${tr("the lesson")}>
      ${(/** @type {LessonAnswer} */ found) => html`<${Shown} app=${app} loaded=${course} what=${tr("the course")}>
        ${(/** @type {Lessons} */ all) => html`<${Lesson} app=${app} lesson=${found} course=${all} />`}
      <//>`}
    <//>
  </div>`;
}

/** @param {{app: App, lesson: LessonAnswer, course: Lessons}} props */
function Lesson({ app, lesson: english, course }) {
  const lesson = useMemo(() => translated(english), [english]);
  const { name, exercises } = lesson;
  const progress = new LessonProgress(app.storage);
  const ids = exercises.map(({ id }) => id);
  const [before] = useState(() => kept("lesson") ?? {});
  const [index, setIndex] = useState(() => before.index ?? progress.firstOpen({ name, exercises: ids }));
  // Who begins a lesson reads what it says first.
  const [page, setPage] = useState(() => before.page ?? (index ? lesson.text.length : 0));
  useEffect(() => keep("lesson", { index, page }), [index, page]);
  const [, setSolved] = useState(0);
  const exercise = exercises[index];
  const geometry = useGeometry(app, exercise.game, paramsOf(exercise.size));
  const number = course.lessons.findIndex((each) => each.name === name);
  const next = course.lessons[number + 1];
  const last = index === exercises.length - 1;
  const solved = progress.has(name, exercise.id);
  const place = { number: index + 1, count: exercises.length };
  const forward = !last ? tr("Next exercise") : next ? tr("Next lesson") : tr("To the lessons");
  const onForward = () => {
    if (!last) setIndex(index + 1);
    else app.navigate(next ? `/learn/${next.name}` : "/learn");
  };
  const head = html`<${StudyHead} title=${`${number + 1}. ${lesson.title}`} about=${lesson.goal} back=${["/learn", tr("All lessons")]} />
    <nav class="lesson-places" aria-label=${tr("Exercises")}>
      ${ids.map((id, at) => {
        const [title, done] = [{ number: at + 1, count: ids.length }, progress.has(name, id)];
        return html`<button
          type="button"
          key=${id}
          class=${done ? "lesson-place solved" : "lesson-place"}
          aria-current=${at === index ? "step" : undefined}
          aria-label=${done ? tr("Exercise {number} of {count} · solved", title) : tr("Exercise {number} of {count}", title)}
          onClick=${() => (setIndex(at), setPage(lesson.text.length))}
        ><span aria-hidden="true">${at + 1}</span></button>`;
      })}
    </nav>`;
  return html`<${Shown} app=${app} loaded=${geometry} what=${tr("the board")}>
      ${(/** @type {import("../types/api.js").GameGeometry} */ found) => html`<${Exercise}
        key=${exercise.id}
        app=${app}
        exercise=${exercise}
        head=${head}
        heading=${solved ? tr("Exercise {number} of {count} · solved", place) : tr("Exercise {number} of {count}", place)}
        label=${solved
          ? tr("The board of exercise {number} of {count} · solved", place)
          : tr("The board of exercise {number} of {count}", place)}
        geometry=${found}
        forward=${forward}
        onForward=${onForward}
        texts=${lesson.text}
        terms=${translated(course.terms)}
        page=${page}
        onPage=${setPage}
        onSolved=${() => {
          progress.add(name, exercise.id);
          setSolved((count) => count + 1);
        }}
      />`}
    <//>`;
}
