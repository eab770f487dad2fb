// One puzzle at /puzzle/ID, that of the day at /puzzle/today, or the one that fits the person at /puzzle/next.

import { useEffect, useMemo, useRef, useState } from "preact/hooks";

import { keep, kept } from "../app/kept.js";
import { html } from "../html.js";
import { PuzzleProgress } from "../models/learn/progress.js";
import { isRated, readSolver, resultLine } from "../models/learn/solver.js";
import { PuzzleSession } from "../models/learn/puzzle.js";
import { LEVELS, paramsOf, puzzleMessage, youAre } from "../models/learn/words.js";
import { dayText } from "../models/time.js";
import { THEME, askSolving, showNext } from "../net/solving.js";
import { plural, tr } from "../texts.js";
import { analysisPath } from "../models/analysis/address.js";
import { startFrom } from "../models/review/from-here.js";
import { later } from "../widgets/later.js";
import { Button, LinkButton } from "../widgets/button.js";
import { Shown, useAnswer, useLoaded, useGeometry } from "./common/load.js";
import { useTitle } from "./common/parts.js";
import { Overlays, StepBar, Study, StudyHead, overlayKeys, stepKeys, useLine, useStudyKeys } from "./common/study.js";
import { useAsking } from "./learn/asking.js";
import { LearnBoard } from "./learn/board.js";
import { Problem, Said } from "./learn/parts.js";

const FromHereDialog = later(async () => (await import("./common/from-here.js")).FromHereDialog);

/** @typedef {import("../app/app.js").App} App */
/** @typedef {import("../types/api.js").PuzzleAnswer} Puzzle */
/** @typedef {import("../types/api.js").GameGeometry} GameGeometry */
/** @typedef {import("../types/api.js").AttemptAnswer} Attempt */

const FEATURES = { features: true, policy: false };
const PLAYERS = [tr("Player A"), tr("Player B")];

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
  return html`<div class="page study-page">
    <${Shown} app=${app} loaded=${useLoaded(load, search)} what=${tr("the puzzle")}>${() => null}<//>
  </div>`;
}

/** @param {import("../app/routes.js").PageProps} props */
function One({ app, params }) {
  const loaded = useAnswer(`/api/puzzles/${encodeURIComponent(params["id"] ?? "")}`);
  useTitle(app, tr("Puzzle"));
  return html`<div class="page study-page">
    <${Shown} app=${app} loaded=${loaded} what=${tr("the puzzle")}>
      ${(/** @type {Puzzle} */ puzzle) => html`<${WithBoard} app=${app} puzzle=${puzzle} />`}
    <//>
  </div>`;
}

/** @param {{app: App, puzzle: Puzzle}} props */
function WithBoard({ app, puzzle }) {
  const geometry = useGeometry(app, puzzle.game, paramsOf(puzzle.size));
  return html`<${Shown} app=${app} loaded=${geometry} what=${tr("the board")}>
    ${(/** @type {GameGeometry} */ found) => html`<${Solving} app=${app} puzzle=${puzzle} geometry=${found} />`}
  <//>`;
}

/** @param {{app: App, puzzle: Puzzle, geometry: GameGeometry}} props */
function Solving({ app, puzzle, geometry }) {
  const session = useMemo(() => new PuzzleSession(puzzle, geometry.names, kept("puzzle")), [puzzle]);
  useEffect(() => keep("puzzle", session.kept));
  const [loading, setLoading] = useState(false);
  const [revealing, reveal] = useState(/** @type {PuzzleSession | null} */ (null));
  const [start, setStart] = useState(/** @type {ReturnType<typeof startFrom>} */ (null));
  const { problem, again, changed } = useAsking(session, puzzle);
  const { status, seat, over, moves, position } = session;
  const steps = useLine(app, moves.length, session);
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
  // The solution is played as the answers of the server arrive; then it can be stepped through.
  useEffect(() => {
    if (revealing !== session) return;
    if (over) {
      reveal(null);
      steps.toEnd(-1);
    } else if (status === "yours") act(() => session.show())();
  });
  const { result, open } = useAttempt(app, session);
  const next = async () => {
    setLoading(true);
    await showNext(app, { but: puzzle.id }).catch((error) => app.complain(error));
    setLoading(false);
  };
  const hint = act(() => !over && (session.exhausted ? reveal(session) : session.hint()));
  useStudyKeys(app, [
    ...stepKeys(steps),
    { keys: "H", what: tr("Hint"), on: { h: hint } },
    ...overlayKeys(app, FEATURES),
  ]);
  const about = [
    puzzle.day && tr("The puzzle of {day}", { day: dayText(puzzle.day) }),
    tr("Difficulty {number} of {count}", { number: puzzle.difficulty, count: LEVELS.length }),
    plural("1 turn to find", "{n} turns to find", puzzle.turns),
  ];
  const shown = [...puzzle.moves, ...moves.slice(0, steps.at)];
  const then = session.history[shown.length];
  const at = { game: puzzle.game, params: paramsOf(puzzle.size), opening: [], moves: shown, players: PLAYERS };
  const from = () => setStart(startFrom({ ...at, toMove: then?.to_move ?? null, scores: then?.scores ?? null }, seat));
  return html`<${Study}
    geometry=${geometry}
    head=${html`<${StudyHead}
      title=${puzzle.day ? tr("Today's puzzle") : tr("Puzzle")}
      about=${about.filter(Boolean).join(" · ")}
      back=${["/puzzles", tr("All puzzles")]}
    />`}
    board=${html`<${LearnBoard}
      app=${app}
      geometry=${geometry}
      session=${session}
      first=${puzzle.moves}
      playable=${status === "yours" && revealing === null}
      at=${steps.at}
      marked=${steps.at === moves.length ? session.marked : []}
      outlines=${app.settings.overlay.value}
      label=${tr("The board of the puzzle")}
      onPlay=${(/** @type {number} */ action) => act(() => session.play(action))()}
    />`}
    words=${html`<h2>${tr(puzzle.question)}</h2>
      <p key=${youAre(seat, position)} class=${`seat${seat} strong`}>${youAre(seat, position)}</p>
      <${Said} message=${puzzleMessage(session)} />
      <p class="muted small" role="status"><span key=${result}>${result}</span></p>
      <${Problem} problem=${problem} again=${again} />`}
    options=${html`<${Overlays} app=${app} ...${FEATURES} />
      ${over &&
      html`<${Button} small onPress=${act(() => session.restart())}>${tr("Begin again")}<//>
        <${LinkButton} small href=${analysisPath(puzzle, [...puzzle.moves, ...moves], shown.length)}>${tr("Analyse from here")}<//>
        <${Button} small disabled=${!then || then.to_move === null} onPress=${from}>${tr("Play from here")}<//>`}
      ${start !== null && html`<${FromHereDialog} app=${app} start=${start} onClose=${() => setStart(null)} />`}`}
    steps=${html`${over && html`<${StepBar} steps=${steps} />`}
      ${status === "wrong" && html`<${Button} kind="primary" onPress=${act(() => session.retry())}>${tr("Take it back")}<//>`}
      ${!over &&
      status !== "wrong" &&
      html`<${Button} busy=${revealing !== null} onPress=${hint}>
        ${open
          ? html`<span key="open">${tr("Hint")}<br /><span class="muted small">${tr("counts as failed")}</span></span>`
          : session.exhausted ? tr("Show the solution") : tr("Hint")}
      <//>`}
      <${Button} kind=${over ? "primary" : undefined} class="forward" busy=${loading} onPress=${next}>${tr("puzzle|Next")}<//>`}
  />`;
}

/**
 * Send the attempt as soon as it is decided: by a wrong move, a hint or the solution. Return what it has changed, and
 * whether it is open yet: rated and not decided.
 * @param {App} app
 * @param {PuzzleSession} session
 */
function useAttempt(app, session) {
  const rated = useMemo(() => isRated(readSolver(app.storage), session.puzzle.id), [session]);
  const known = () => (kept("attempt")?.id === session.puzzle.id ? { of: session, answer: kept("attempt") } : null);
  const [result, setResult] = useState(/** @type {() => {of: PuzzleSession, answer: Attempt} | null} */ (known));
  const sent = useRef(result?.of);
  const { puzzle, moves, hinted, mistakes, status } = session;
  const decided = hinted || mistakes > 0 || status === "solved";
  useEffect(() => {
    if (!decided || sent.current === session) return;
    sent.current = session;
    void (async () => {
      try {
        /** @type {Attempt} */
        const answer = await askSolving(app, "attempt", { puzzle: puzzle.id, moves: hinted ? null : moves });
        setResult({ of: session, answer });
        keep("attempt", { ...answer, solver: { ...answer.solver, tries: {} }, id: puzzle.id });
      } catch (error) {
        app.complain(error);
      }
    })();
  }, [decided, session]);
  return { result: result?.of === session ? resultLine(result.answer) : "", open: rated && !decided };
}
