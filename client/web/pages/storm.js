// A puzzle storm at /storm: three minutes, one move in each puzzle. The server judges and keeps the time.

import { useEffect, useRef, useState } from "preact/hooks";

import { keep, kept } from "../app/kept.js";
import { html } from "../html.js";
import { readSolver, stormBests } from "../models/learn/solver.js";
import { paramsOf, youAre } from "../models/learn/words.js";
import { askSolving } from "../net/solving.js";
import { plural, tr } from "../texts.js";
import { Button, LinkButton } from "../widgets/button.js";
import { Clock, useNow } from "../widgets/clock.js";
import { Shown, useGeometry } from "./common/load.js";
import { PageHead, useTitle } from "./common/parts.js";
import { Study, useStudyKeys } from "./common/study.js";
import { LearnBoard } from "./learn/board.js";
import { Kept } from "./learn/parts.js";

/** @typedef {import("../app/app.js").App} App */
/** @typedef {import("../types/api.js").StormAnswer} Storm */
/** @typedef {Storm["puzzle"] & {}} Puzzle */
/** @typedef {import("../types/api.js").GameGeometry} GameGeometry */

/** @param {import("../app/routes.js").PageProps} props */
export function StormPage({ app }) {
  useTitle(app, tr("Puzzles against the clock"));
  app.topics.of("progress").value;
  // `endsMs` is on the clock of the page, and `until` on that of the machine, which goes on over a reload.
  const [storm, set] = useState(() => {
    const { until, ...running } = kept("storm") ?? {};
    return /** @type {(Storm & {endsMs: number}) | null} */ (until ? { ...running, endsMs: performance.now() + until - Date.now() } : null);
  });
  const setStorm = (/** @type {Storm | null} */ answer) => {
    set(answer && { ...answer, endsMs: performance.now() + answer.left_ms });
    keep("storm", answer?.solver === null ? { ...answer, until: Date.now() + answer.left_ms } : undefined);
  };
  const [busy, setBusy] = useState(false);
  const ask = async (/** @type {object} */ body) => {
    if (busy) return;
    setBusy(true);
    try {
      setStorm(await askSolving(app, "storm", body));
    } catch (error) {
      app.complain(error);
      // A storm that the server does not know any more cannot go on.
      if (/** @type {any} */ (error).status === 409) setStorm(null);
    }
    setBusy(false);
  };
  const begin = () => ask({});
  const runs = storm !== null && storm.solver === null;
  return html`<div class=${runs ? "page study-page" : "page learn-page"}>
    ${runs
      ? html`<${Running} app=${app} storm=${storm} ask=${ask} busy=${busy} />`
      : html`<div class="stack">
          <${PageHead} title=${tr("Puzzles against the clock")} about=${tr("Three minutes, one move in each puzzle.")} />
          <section class="card stack">
            ${storm && html`<h2 role="status">${plural("1 puzzle solved.", "{n} puzzles solved.", storm.score)}</h2>`}
            <p>${tr("Find a move that keeps the most boxes. A wrong one costs 10 seconds; five right ones in a row give 3 back.")}</p>
            <${Bests} app=${app} />
            <div class="row">
              <${Button} kind="primary" busy=${busy} onPress=${begin}>${storm ? tr("Once more") : tr("Begin")}<//>
              <${LinkButton} href="/puzzles">${tr("Puzzles")}<//>
            </div>
          </section>
          <${Kept} app=${app} />
        </div>`}
  </div>`;
}

/** @param {{app: App}} props */
function Bests({ app }) {
  const bests = stormBests(readSolver(app.storage), Date.now());
  return html`<p class="muted">${tr("Your best: today {today}, this week {week}, ever {all}", bests)}</p>`;
}

/** @param {{app: App, storm: Storm & {endsMs: number}, ask: (body: object) => void, busy: boolean}} props */
function Running({ app, storm, ask, busy }) {
  useNow(app, 200);
  const left = storm.endsMs - performance.now();
  const over = left <= 0 || storm.puzzle === null;
  const asked = useRef(false);
  useEffect(() => {
    // Once: if the server cannot be reached, the button tries again.
    if (!over || busy || asked.current) return;
    asked.current = true;
    ask({ storm: storm.storm });
  }, [over, busy]);
  const { puzzle, score, combo, right } = storm;
  const said = right === null ? "" : right ? tr("Right.") : tr("Wrong: −10 s.");
  const row = combo > 1 ? tr("{n} in a row.", { n: combo }) : "";
  const geometry = useGeometry(app, puzzle?.game ?? "dots-and-boxes", paramsOf(puzzle?.size ?? "3x3"));
  useStudyKeys(app, []);
  return html`<${Shown} app=${app} loaded=${geometry} what=${tr("the board")}>
    ${(/** @type {GameGeometry} */ found) => html`<${Study}
      geometry=${found}
      head=${html`<h1 class="grow">${tr("Against the clock")}</h1>
        <${Clock} ms=${left} runs=${true} label=${tr("Time left")} />`}
      board=${puzzle &&
      html`<${LearnBoard}
        key=${puzzle.id}
        app=${app}
        geometry=${found}
        session=${{ history: puzzle.positions, moves: [] }}
        first=${puzzle.moves}
        playable=${!busy && !over}
        label=${tr("The board of the puzzle")}
        onPlay=${(/** @type {number} */ move) => ask({ storm: storm.storm, puzzle: puzzle.id, move })}
      />`}
      words=${html`${puzzle &&
        html`<h2>${tr(puzzle.question)}</h2>
          <p key=${puzzle.id} class=${`seat${puzzle.seat} strong`}>${youAre(puzzle.seat, puzzle.positions.at(-1))}</p>`}
        <p role="status">
          <strong class="numbers">${plural("1 point", "{n} points", score)}</strong>
          <span key=${`${said} ${row}`} class=${right ? "muted" : "error"}> ${said} ${row}</span>
        </p>`}
      steps=${html`<${Button} onPress=${() => ask({ storm: storm.storm })}>${tr("End")}<//>`}
    />`}
  <//>`;
}
