// The puzzles at /puzzles: those that fit the person, that of the day, and the next one of each kind and difficulty.

import { useState } from "preact/hooks";

import { Board } from "../board/board.js";
import { html } from "../html.js";
import { PuzzleProgress } from "../models/learn/progress.js";
import { ratingLine, readSolver, solverLines } from "../models/learn/solver.js";
import { LEVELS, paramsOf } from "../models/learn/words.js";
import { sizeText } from "../models/title.js";
import { plural, tr } from "../texts.js";
import { THEME } from "../net/solving.js";
import { LinkButton } from "../widgets/button.js";
import { Select } from "../widgets/choice.js";
import { Shown, useAnswer, useGeometry } from "./common/load.js";
import { PageHead, useTitle } from "./common/parts.js";
import { SEATS } from "./learn/board.js";
import { Kept } from "./learn/parts.js";

/** @import { PuzzleAnswer, Puzzles } from "../types/api.js" */

/** @param {import("../app/routes.js").PageProps} props */
export function PuzzlesPage({ app }) {
  useTitle(app, tr("Puzzles"));
  app.topics.of("progress").value;
  const today = useAnswer("/api/puzzles/today");
  const all = useAnswer("/api/puzzles");
  return html`<div class="page learn-page stack">
    <${PageHead}
      title=${tr("Puzzles")}
      about=${tr("One position, one idea: find the moves that keep the most boxes.")}
      actions=${html`<${LinkButton} href="/learn">${tr("Lessons")}<//>`}
    />
    <${Shown} app=${app} loaded=${today} what=${tr("the puzzle of the day")}>
      ${(/** @type {PuzzleAnswer} */ puzzle) => html`<${Today} app=${app} puzzle=${puzzle} />
        <${Shown} app=${app} loaded=${all} what=${tr("the puzzles")}>
          ${(/** @type {Puzzles} */ found) => html`<${Yours} app=${app} kinds=${found.kinds} /><${Lists} app=${app} found=${found} /><${Kept} app=${app} />`}
        <//>`}
    <//>
  </div>`;
}

/** @param {{app: import("../app/app.js").App, puzzle: PuzzleAnswer}} props */
function Today({ app, puzzle }) {
  const progress = new PuzzleProgress(app.storage);
  const day = puzzle.day ?? "";
  const done = progress.all("days").has(day);
  const streak = progress.streak(day);
  return html`<section class="today" aria-labelledby="today">
    <a class="today-board" href="/puzzle/today" tabindex="-1" aria-hidden="true"><${TodayBoard} app=${app} puzzle=${puzzle} /></a>
    <div class="stack">
      <div>
        <h2 id="today">${tr("Today's puzzle")}</h2>
        <p>${tr(puzzle.question)}</p>
        <p class="muted">
          ${[
          sizeText(puzzle.size),
          tr("difficulty {number} of {count}", { number: puzzle.difficulty, count: LEVELS.length }),
          streak ? plural("1 day in a row", "{n} days in a row", streak) : "",
        ]
          .filter(Boolean)
          .join(" · ")}
      </p>
      </div>
      <div class="row">
        <${LinkButton} kind=${done ? undefined : "primary"} href="/puzzle/today">${done ? tr("See it again") : tr("Solve it")}<//>
        ${done && html`<span class="badge good">${tr("✓ solved")}</span>`}
      </div>
    </div>
  </section>`;
}

/** Its position; the place is held until it is known. @param {{app: import("../app/app.js").App, puzzle: PuzzleAnswer}} props */
function TodayBoard({ app, puzzle: { game, size, moves } }) {
  const { value: geometry } = useGeometry(app, game, paramsOf(size));
  const { value: found } = useAnswer("/api/positions", { game, size, moves });
  if (geometry === null || found === null) return null;
  const { positions } = /** @type {import("../types/api.js").Positions} */ (found);
  const drawers = positions.slice(0, -1).map((each) => each.to_move);
  const position = { ...positions[moves.length], played: moves, drawers, last: null, toMove: null };
  return html`<${Board} geometry=${geometry} position=${position} seats=${SEATS} mode="still" label=${tr("board")} />`;
}

/** @param {{app: import("../app/app.js").App, kinds: Puzzles["kinds"]}} props */
function Yours({ app, kinds }) {
  const [theme, setTheme] = useState(String(app.storage.get(THEME) ?? ""));
  const solver = readSolver(app.storage);
  const options = [{ value: "", title: tr("Mixed") }, ...kinds.map(({ kind, title }) => ({ value: kind, title: tr(title) }))];
  return html`<section class="card stack" aria-labelledby="yours">
    <div>
      <h2 id="yours">${tr("Puzzles for you")}</h2>
      <p>${ratingLine(solver)}</p>
      <p class="muted small">${solverLines(solver).join(" · ")}</p>
    </div>
    <div class="row filters">
      <${Select} label=${tr("Kind of puzzles")} value=${theme} options=${options} onChange=${setTheme} />
      <${LinkButton} href=${`/puzzle/next?kind=${theme}`}>${tr("Solve puzzles")}<//>
      <${LinkButton} href="/storm">${tr("Against the clock")}<//>
    </div>
  </section>`;
}

/** @param {{app: import("../app/app.js").App, found: Puzzles}} props */
function Lists({ app, found: { kinds, puzzles } }) {
  const progress = new PuzzleProgress(app.storage);
  const solved = progress.all("solved");
  const clean = progress.all("clean");
  return html`<section class="card stack" aria-labelledby="by-level">
      <h2 id="by-level">${tr("By level")}</h2>
      <ul class="row learn-levels" role="list">
        ${LEVELS.map((difficulty) => {
          const some = puzzles.filter((each) => each.difficulty === difficulty);
          const next = progress.choose(some, {}) ?? some[0];
          const count = some.filter(({ id }) => solved.has(id)).length;
          if (next === undefined) return null;
          return html`<li key=${difficulty}>
            <${LinkButton} href=${`/puzzle/${next.id}`}>${tr("Difficulty {number}", { number: difficulty })}<//>
            <span class="muted small">${tr("{done} of {count}", { done: count, count: some.length })}</span>
          </li>`;
        })}
      </ul>
    </section>
    <section class="card stack" aria-labelledby="by-kind">
      <h2 id="by-kind">${tr("By kind")}</h2>
      <ul class="learn-list" role="list">
        ${kinds.map(({ kind, title, question }) => {
          const some = puzzles.filter((each) => each.kind === kind);
          const counts = {
            solved: some.filter(({ id }) => solved.has(id)).length,
            count: some.length,
            first: some.filter(({ id }) => clean.has(id)).length,
          };
          return html`<li key=${kind}>
            <div class="grow">
              <a class="strong" href=${`/puzzle/next?kind=${kind}`}>${tr(title)}</a>
              <p class="muted">${tr(question)}</p>
            </div>
            <span class="muted small">${counts.solved
                ? tr("{solved} of {count} solved, {first} at the first try", counts)
                : tr("{solved} of {count} solved", counts)}</span>
          </li>`;
        })}
      </ul>
    </section>`;
}
