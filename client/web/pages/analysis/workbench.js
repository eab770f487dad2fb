// The board of an analysis with all that is known about its position.

import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";

import { offersOf } from "../../app/catalogue.js";
import { Board } from "../../board/board.js";
import { html } from "../../html.js";
import { USUAL, analysisPath, writeBranches } from "../../models/analysis/address.js";
import { Tree } from "../../models/analysis/tree.js";
import { startFrom } from "../../models/review/from-here.js";
import { ValuesCache, labelsOf, valuesFrom } from "../../models/review/values.js";
import { getJson } from "../../net/api.js";
import { PositionFacts } from "../../net/facts.js";
import { browserTimers } from "../../net/timers.js";
import { outer } from "../../address.js";
import { BoardValues } from "../../study/board-values.js";
import { tr } from "../../texts.js";
import { later } from "../../widgets/later.js";
import { Button } from "../../widgets/button.js";
import { Overlays, StepBar, Study, StudyHead, overlayKeys, stepKeys, useSteps, useStudyKeys } from "../common/study.js";
import { offersValues } from "../game/values.js";
import { LineCurve } from "./curve.js";
import { TreeMoves } from "./moves.js";
import { ChooseGame, PassOn, Scores, SetUp, Told } from "./parts.js";
import { usePositions } from "./positions.js";

const FromHereDialog = later(async () => (await import("../common/from-here.js")).FromHereDialog);

/** @import { GamePosition } from "../../types/api.js" */
/** @typedef {import("../analysis.js").Start} Start */

/** How long the position stands still before the address names it, in milliseconds. */
const SETTLED_MS = 300;

/**
 * @param {{app: import("../../app/app.js").App, start: Start,
 *   choose: (place: import("../analysis.js").Place) => void}} props
 */
export function Workbench({ app, start, choose }) {
  const { game, size, params, geometry, games } = start;
  const [, redraw] = useReducer((/** @type {number} */ count) => count + 1, 0);
  const [opening, setOpening] = useState(start.opening);
  const [begin, setBegin] = useState(start.begin ?? USUAL);
  const [setup, setSetup] = useState(false);
  const [valued, setValued] = useState(true);
  const [from, setFrom] = useState(/** @type {ReturnType<typeof startFrom>} */ (null));
  const tree = useRef(/** @type {Tree | null} */ (null));
  if (tree.current === null) {
    tree.current = new Tree(start.moves);
    tree.current.restore(start.branches);
  }
  const moves = tree.current;
  const change = (/** @type {() => void} */ act) => (act(), redraw(0));
  const go = (/** @type {number | null} */ branch, /** @type {number} */ at) => change(() => moves.go(branch, at));
  const steps = useSteps(app, moves.at, moves.line.length, (at) => go(moves.branch, at));

  const { get, problem } = usePositions({ game, size, opening, begin }, moves.line);
  const now = get(moves.moves);
  // The last known position stays on the board until the server has answered about the next one.
  const kept = useRef(/** @type {{at: GamePosition, played: readonly number[]} | null} */ (null));
  if (now) kept.current = { at: now, played: moves.moves };
  const shown = kept.current;

  const offers = offersOf(games, game);
  const valuable = offersValues(app, game);
  const over = now?.to_move === null;
  const cache = useMemo(() => new ValuesCache((body) => getJson("/api/values", {}, { body }), () => redraw(0), browserTimers()), []);
  const facts = useMemo(() => new PositionFacts(() => redraw(0)), []);
  useEffect(() => () => cache.close(), []);
  const query = { game, size, opening, moves: moves.moves };
  const asked = valued && valuable && !setup && now !== undefined && !over;
  const found = asked ? cache.get({ game, params, opening, moves: moves.moves }) : null;
  const answer = found?.values ? { values: valuesFrom(found.values, begin) } : found;
  const valueOf = (/** @type {readonly number[]} */ played) => {
    const values = cache.known({ opening, moves: played });
    return values ? valuesFrom(values, begin).value : null;
  };
  const known = offers.features && now ? facts.get("features", query) : null;
  const heat = app.settings.heat.value && offers.policy && now && !over && !asked;
  const branches = writeBranches(moves);
  const here = outer(analysisPath({ game, size, opening, begin }, moves.main)) + (branches && `#${branches}`);
  useAddress(here);

  const seats = geometry.seat_names.map((initial) => ({ name: initial, initial }));
  const edges = geometry.segments.length > 0;
  // Edges need no answer before the next one is drawn.
  const ahead = edges && !now;
  const played = ahead ? moves.moves : (shown?.played ?? []);
  const open = (/** @type {string} */ legal) =>
    ahead ? geometry.names.map((_, action) => (opening.includes(action) || played.includes(action) ? "0" : "1")).join("") : legal;
  const toggleSetup = () =>
    change(() => {
      if (!setup) {
        // So that the browser's way back leads to the moves.
        history.replaceState(history.state, "", here);
        history.pushState(null, "", here);
        setOpening([...opening, ...moves.moves].sort((a, b) => a - b));
        setBegin({ seat: now?.to_move ?? 0, scores: now?.scores ?? [0, 0] });
        tree.current = new Tree([]);
      }
      setSetup(!setup);
    });
  const tap = (/** @type {number} */ action) => {
    if (setup) setOpening(opening.includes(action) ? opening.filter((each) => each !== action) : [...opening, action].sort((a, b) => a - b));
    else if (now || edges) change(() => moves.play(action));
  };
  const playLine = (/** @type {readonly number[]} */ line) => {
    change(() => moves.add(line));
    steps.play();
  };
  const toggle = () => setValued((on) => !on);
  useStudyKeys(app, [
    ...stepKeys(steps),
    ...(valuable ? [{ keys: "H", what: tr("Values"), on: { h: toggle, v: toggle } }] : []),
    ...overlayKeys(app, offers),
    { keys: "Delete", what: tr("Delete moves"), on: { Delete: () => change(() => moves.cut()) } },
  ]);
  const playFrom = () =>
    setFrom(startFrom({ game, params, opening, moves: moves.moves, players: geometry.seat_names, toMove: now?.to_move ?? null, scores: geometry.unit ? (now?.scores ?? null) : null }, null));
  const players = geometry.seat_names;
  return html`<${Study}
    geometry=${geometry}
    head=${html`<${StudyHead} title=${tr("Analysis board")} back=${["/learn", tr("Learn")]}>
      <${ChooseGame} games=${games} game=${game} size=${size} choose=${choose} />
    <//>`}
    players=${html`<${Scores} players=${players} unit=${geometry.unit} position=${shown?.at} />`}
    board=${shown === null
      ? html`<div class="study-empty"></div>`
      : html`<${Board}
          geometry=${geometry}
          position=${{
            cells: shown.at.cells,
            before: played.length ? get(played.slice(0, -1))?.cells : undefined,
            legal: setup ? "1".repeat(geometry.names.length) : open(shown.at.legal),
            winning: shown.at.winning,
            played: [...opening, ...played],
            drawers: [...opening.map(() => null), ...played.map((_, ply) => get(played.slice(0, ply))?.to_move ?? null)],
            last: played.at(-1) ?? null,
            toMove: now ? (shown.at.to_move ?? (setup ? begin.seat : null)) : null,
          }}
          seats=${seats}
          seat=${null}
          mode="play"
          pending=${now || setup || edges ? null : moves.moves.at(-1)}
          features=${app.settings.overlay.value && offers.features && now ? (known?.features ?? null) : null}
          heat=${heat ? facts.get("policy", query) : undefined}
          layer=${{ maker: BoardValues, data: { labels: answer?.values ? labelsOf(answer.values, now?.to_move ?? 0, geometry.unit) : [], better: [], mark: null } }}
          rim=${app.settings.rim.value}
          label=${tr("Analysis board")}
          onPlay=${tap}
          say=${(/** @type {string} */ text) => app.say(text)}
        />`}
    words=${html`${setup
      ? html`<p class="strong">${tr("Tap edges to draw or erase them.")}</p>
          <p class="muted small">${tr("Their order does not count, and boxes drawn here belong to nobody.")}</p>`
      : html`<${Told}
          number=${moves.at}
          move=${geometry.names[moves.moves.at(-1) ?? -1] ?? ""}
          position=${now}
          answer=${answer}
          asked=${asked}
          known=${known}
          geometry=${geometry}
          playLine=${playLine}
        />`}
      ${problem && html`<p class="problem" role="alert">${problem}</p>`}`}
    moves=${setup ? html`<span></span>` : html`<${TreeMoves}
        tree=${moves}
        names=${geometry.names}
        marks=${players}
        mover=${(/** @type {readonly number[]} */ line) => get(line)?.to_move}
        go=${go}
      />`}
    options=${!setup && html`${valuable && html`<${Button} small pressed=${valued} onPress=${() => setValued(!valued)}>${tr("Values")}<//>`}
      <${Overlays} app=${app} ...${offers} />
      ${edges && html`<${Button} small onPress=${toggleSetup}>${tr("Set up")}<//>`}
      <${Button} small disabled=${!moves.main.length} onPress=${() => change(() => moves.cut())}>
        ${moves.branch === null ? tr("Delete from here") : tr("Delete the branch")}
      <//>
      <${Button} small disabled=${over || !now} onPress=${playFrom}>${tr("Play from here")}<//>
      ${from !== null && html`<${FromHereDialog} app=${app} start=${from} onClose=${() => setFrom(null)} />`}`}
    plot=${geometry.unit && moves.line.length > 1 && html`<${LineCurve} line=${moves.line} get=${get} valueOf=${valueOf} players=${players} ply=${moves.at} onPly=${(/** @type {number} */ at) => go(moves.branch, at)} />`}
    steps=${setup
      ? html`<${SetUp} players=${players} unit=${geometry.unit} begin=${begin} change=${setBegin} />
          <${Button} kind="primary" onPress=${toggleSetup}>${tr("Done")}<//>`
      : html`<${StepBar} steps=${steps} />`}
  >
    <${PassOn} app=${app} url=${here} path=${analysisPath({ game, size, opening, begin }, moves.moves)} />
  <//>`;
}

/**
 * Keep the moves in the address, so that a reload and a copied link show the same.
 * @param {string} here
 */
function useAddress(here) {
  useEffect(() => {
    const timer = setTimeout(() => history.replaceState(history.state, "", here), SETTLED_MS);
    const stop = () => clearTimeout(timer);
    // After a step back, `here` is no longer the address of the place that is shown.
    window.addEventListener("popstate", stop);
    return () => {
      stop();
      window.removeEventListener("popstate", stop);
    };
  }, [here]);
}
