// One puzzle at /puzzle/ID, that of the day at /puzzle/today, or the one that fits the person at /puzzle/next.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { html } from "../html.js";
import { PuzzleProgress } from "../models/learn/progress.js";
import { resultLine } from "../models/learn/solver.js";
import { PuzzleSession } from "../models/learn/puzzle.js";
import { LEVELS, paramsOf, puzzleMessage, youAre } from "../models/learn/words.js";
import { dayText } from "../models/time.js";
import { THEME, askSolving, showNext } from "../net/solving.js";
import { plural, tr } from "../texts.js";
import { Button } from "../widgets/button.js";
import { Overlays } from "./common/overlays.js";
import { Shown, useAnswer, useLoaded } from "./common/load.js";
import { PageHead, useTitle } from "./common/parts.js";
import { useAsking } from "./learn/asking.js";
import { LearnBoard, useGeometry } from "./learn/board.js";
import { Problem, Said } from "./learn/parts.js";

/** @typedef {import("../app/app.js").App} App */
/** @typedef {import("../types/api.js").PuzzleAnswer} Puzzle */
/** @typedef {import("../types/api.js").GameGeometry} GameGeometry */

/** @param {import("../app/routes.js").PageProps} props */
export function PuzzlePage({ app, params }) {
  return params["id"] === "next" ? html`<${Next} app=${app} />` : html`<${One} app=${app} params=${params} />`;
}

/** Find the next puzzle; `?kind=` changes the theme. @param {{app: App}} props */
function Next({ app }) {
  const { search } = app.route.value;
  const load = async () => {
    const kind = new URLSearchParams(search).get("kind");
    if (kind !== null) app.storage.set(THEME, kind);
    await showNext(app, { replace: true });
  };
  useTitle(app, tr("Puzzle"));
  return html`<div class="page learn-page">
    <${Shown} app=${app} loaded=${useLoaded(load, search)} what=${tr("the puzzle")}>${() => null}<//>
  </div>`;
}

/** @param {import("../app/routes.js").PageProps} props */
function One({ app, params }) {
  const loaded = useAnswer(`/api/puzzles/${encodeURIComponent(params["id"] ?? "")}`);
  useTitle(app, tr("Puzzle"));
  return html`<div class="page learn-page">
    <p class="small"><a href="/puzzles">${tr("All puzzles")}</a></p>
    <${Shown} app=${app} loaded=${loaded} what=${tr("the puzzle")}>
      ${(/** @type {Puzzle} */ puzzle) => html`<${WithBoard} app=${app} puzzle=${puzzle} />`}
    <//>
  </div>`;
}

/** @param {{app: App, puzzle: Puzzle}} props */
function WithBoard({ app, puzzle }) {
  const geometry = useGeometry(app, puzzle.game, paramsOf(puzzle.size));
  const about = [
    puzzle.day && tr("The puzzle of {day}", { day: dayText(puzzle.day) }),
    tr("Difficulty {number} of {count}", { number: puzzle.difficulty, count: LEVELS.length }),
    plural("1 turn to find", "{n} turns to find", puzzle.turns),
  ];
  return html`<${PageHead} title=${puzzle.day ? tr("Today's puzzle") : tr("Puzzle")} about=${about.filter(Boolean).join(" · ")} />
    <${Shown} app=${app} loaded=${geometry} what=${tr("the board")}>
      ${(/** @type {GameGeometry} */ found) => html`<${Solving} app=${app} puzzle=${puzzle} geometry=${found} />`}
    <//>`;
}

/** @param {{app: App, puzzle: Puzzle, geometry: GameGeometry}} props */
function Solving({ app, puzzle, geometry }) {
  const session = useMemo(() => new PuzzleSession(puzzle, geometry.names), [puzzle]);
  const [loading, setLoading] = useState(false);
  const { problem, again, changed } = useAsking(session, puzzle);
  const { status, seat } = session;
  const solved = status === "solved";
  useEffect(() => {
    if (!solved || session.helped) return;
    new PuzzleProgress(app.storage).add(puzzle.id, {
      clean: session.mistakes === 0 && !session.hinted,
      day: puzzle.day ?? null,
    });
  }, [solved]);
  const act = (/** @type {() => unknown} */ run) => () => {
    if (run() !== false) changed();
  };
  const result = useAttempt(app, session);
  const next = async () => {
    setLoading(true);
    await showNext(app, { but: puzzle.id }).catch((error) => app.complain(error));
    setLoading(false);
  };
  const message = puzzleMessage(session);
  if (status !== "waiting" && result) message.text = `${message.text} ${result}`.trim();
  return html`<div class="learn">
    <div class="learn-task stack tight">
      <h2>${tr(puzzle.question)}</h2>
      <p key=${youAre(seat, session.position)} class=${`seat${seat} strong`}>${youAre(seat, session.position)}</p>
    </div>
    <div class="learn-board">
      <${LearnBoard}
        app=${app}
        geometry=${geometry}
        session=${session}
        first=${puzzle.moves}
        playable=${status === "yours"}
        marked=${session.marked}
        outlines=${app.settings.overlay.value}
        label=${tr("The board of the puzzle")}
        onPlay=${(/** @type {number} */ action) => act(() => session.play(action))()}
      />
      <div class="row"><${Overlays} app=${app} features=${true} policy=${false} /></div>
    </div>
    <div class="learn-side stack">
      <${Said} message=${message} />
      <${Problem} problem=${problem} again=${again} />
      <div class="row">
        ${status === "wrong"
          ? html`<${Button} kind="primary" onPress=${act(() => session.retry())}>${tr("Take it back")}<//>`
          : html`<${Button} disabled=${!session.moves.length} onPress=${act(() => session.restart())}>${tr("Begin again")}<//>`}
        ${session.exhausted
          ? html`<${Button} disabled=${session.over} onPress=${act(() => session.show())}>${tr("Show the next move")}<//>`
          : html`<${Button} disabled=${session.over} onPress=${act(() => session.hint())}>${tr("Hint")}<//>`}
      </div>
      <div class="row">
        <${Button} kind=${session.over ? "primary" : undefined} busy=${loading} onPress=${next}>${tr("Next puzzle")}<//>
      </div>
    </div>
  </div>`;
}

/**
 * Send the attempt as soon as it is decided: by a wrong move, a hint or the solution. Return what it has changed.
 * @param {App} app
 * @param {PuzzleSession} session
 */
function useAttempt(app, session) {
  const [result, setResult] = useState(/** @type {{of: PuzzleSession | null, text: string}} */ ({ of: null, text: "" }));
  const sent = useRef(/** @type {PuzzleSession | null} */ (null));
  const { puzzle, moves, hinted, mistakes, status } = session;
  const decided = hinted || mistakes > 0 || status === "solved";
  useEffect(() => {
    if (!decided || sent.current === session) return;
    sent.current = session;
    void (async () => {
      try {
        /** @type {import("../types/api.js").AttemptAnswer} */
        const answer = await askSolving(app, "attempt", { puzzle: puzzle.id, moves: hinted ? null : moves });
        setResult({ of: session, text: resultLine(answer) });
      } catch (error) {
        app.complain(error);
      }
    })();
  }, [decided, session]);
  return result.of === session ? result.text : "";
}
