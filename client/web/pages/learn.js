// The course at /learn: its lessons, and what is solved of each.

import { html } from "../html.js";
import { LessonProgress } from "../models/learn/progress.js";
import { tr } from "../texts.js";
import { LinkButton } from "../widgets/button.js";
import { Shown, useAnswer } from "./common/load.js";
import { PageHead, useTitle } from "./common/parts.js";
import { Kept } from "./learn/parts.js";

/** @typedef {import("../types/api.js").Lessons} Lessons */

/** @param {import("../app/routes.js").PageProps} props */
export function LearnPage({ app }) {
  useTitle(app, tr("Learn"));
  return html`<div class="page learn-page">
    <${Shown} app=${app} loaded=${useAnswer("/api/lessons")} what=${tr("the lessons")}>
      ${(/** @type {Lessons} */ { lessons }) => html`<${Course} app=${app} lessons=${lessons} />`}
    <//>
  </div>`;
}

/** @param {{app: import("../app/app.js").App, lessons: Lessons["lessons"]}} props */
function Course({ app, lessons }) {
  app.topics.of("progress").value;
  const progress = new LessonProgress(app.storage);
  const whole = lessons.reduce((sum, { exercises }) => sum + exercises.length, 0);
  const solved = lessons.reduce((sum, lesson) => sum + progress.count(lesson), 0);
  const next = progress.nextLesson(lessons);
  return html`<${PageHead}
      title=${tr("Learn")}
      about=${tr("{lessons} lessons · {solved} of {count} exercises solved", { lessons: lessons.length, solved, count: whole })}
      actions=${html`${next && html`<${LinkButton} kind="primary" href=${`/learn/${next.name}`}>${solved ? tr("Go on") : tr("Begin")}<//>`}
        <${LinkButton} href="/puzzles">${tr("Puzzles")}<//> <${LinkButton} href="/analysis">${tr("Analysis board")}<//> <${LinkButton} href="/rules">${tr("Rules")}<//>`}
    />
    <ol class="learn-list card" role="list">
      ${lessons.map((lesson, index) => {
        const { name, title, goal, exercises } = lesson;
        const count = progress.count(lesson);
        const done = count === exercises.length;
        return html`<li key=${name}>
          <div class="grow">
            <a class="strong" href=${`/learn/${name}`}>${index + 1}. ${tr(title)}</a>
            <p class="muted">${tr(goal)}</p>
          </div>
          <span class=${done ? "badge good" : "badge"}>${done ? tr("✓ all solved") : tr("{solved} of {count} solved", { solved: count, count: exercises.length })}</span>
        </li>`;
      })}
    </ol>
    <${Kept} app=${app} />`;
}
