// The review of a game: board, stepping, players, curve, moves, facts and exports.

import { useEffect, useMemo, useReducer, useRef, useState } from "preact/hooks";

import { Board } from "../../board/board.js";
import { ratioOf } from "../../board/layout.js";
import { html } from "../../html.js";
import { factsOf, outcomeOf } from "../../models/review.js";
import { dateText, timeText } from "../../models/time.js";
import { getJson } from "../../net/api.js";
import { clockFace } from "../../widgets/clock.js";
import { Switch } from "../../widgets/field.js";
import { Share } from "../../widgets/share.js";
import { PageHead, Name, When } from "../common/parts.js";
import { positionQuery } from "../game.js";
import { writePlace } from "./address.js";
import { StepControls } from "./controls.js";
import { ScoreCurve } from "./curve.js";
import { Exports } from "./exports.js";
import { MoveList } from "./moves.js";

/** @typedef {import("../../models/review.js").Review} Review */
/** @typedef {import("../../types/api.js").PositionFeature} PositionFeature */
/** @typedef {import("../../app/app.js").App} App */
/** @typedef {{code: string, token: string | null}} Access */

/** The keys and what they do, for the list of shortcuts. */
const KEYS = [
  { keys: "Left, Right", what: "Back and forward one move" },
  { keys: "Up, Down", what: "Back and forward one turn" },
  { keys: "Home, End", what: "To the start and to the end" },
  { keys: "Space", what: "Play automatically, or pause" },
];
/** How often automatic play looks whether the next move is due, in milliseconds. */
const TICK_MS = 50;
/** How long the position stands still before the address names it, in milliseconds. */
const SETTLED_MS = 300;

/** @param {{app: App, review: Review, access: Access, ply: number | null}} props */
export function ReviewView({ app, review, access, ply }) {
  const [, redraw] = useReducer((/** @type {number} */ count) => count + 1, 0);
  const first = useRef(true);
  if (first.current) {
    first.current = false;
    review.go(ply ?? review.total);
  }
  const change = (/** @type {() => void} */ act) => {
    const before = review.ply;
    act();
    redraw(0);
    if (review.ply === before + 1) app.sounds.play(review.scored ? "capture" : "draw");
  };
  const act = useActions(app, review, change);
  useAutomaticPlay(app, review, change);
  useKeys(app, act);
  useAddress(review, access.code);
  const { game, geometry } = review;
  const outcome = outcomeOf(game);
  const overlay = app.settings.overlay.value;
  const features = useFeatures(review, overlay);
  const about = [geometry.title, timeText(game.time_control), game.rated ? "rated" : "casual"];
  return html`
    <${PageHead}
      title=${html`<span class="review-title">${game.players[0]} <span class="muted">against</span> ${game.players[1]}</span>`}
      about=${html`${about.filter(Boolean).join(" · ")} · <${When} ms=${game.finished_ms} />`}
    />
    <div class="review" style=${{ "--ratio": String(ratioOf(geometry)) }}>
      <section class="review-board" aria-label="Board">
        <${Seat} review=${review} seat=${0} />
        <div class="review-board-box">
          <${Board}
            geometry=${geometry}
            position=${review.position}
            seats=${review.initials.map((initial, seat) => ({ name: game.players[seat], initial }))}
            seat=${null}
            mode="watch"
            features=${features}
            label=${`${geometry.title}. ${review.line}.${geometry.unit && ` ${review.lead}`}`}
            say=${app.say}
          />
        </div>
        <${Seat} review=${review} seat=${1} />
        <p class="review-line" aria-live="polite">${review.line}</p>
        <${StepControls} review=${review} act=${act} />
      </section>
      <div class="review-side stack">
        <section class="card result-card">
          <p class="result-head">
            ${outcome.headline}${geometry.unit && html`${" "}<span class="numbers">${outcome.score}</span>`}
          </p>
          <p class="muted">${outcome.why}</p>
        </section>
        ${geometry.unit &&
        html`<section class="card">
          <h2>Score</h2>
          <${ScoreCurve} review=${review} onPly=${act.go} />
        </section>`}
        <section class="card moves-card">
          <h2>Moves</h2>
          <${MoveList} review=${review} onPly=${act.go} />
        </section>
        ${review.hasFeatures &&
        html`<section class="card">
          <${Switch}
            label="Chains and loops"
            checked=${overlay}
            onChange=${(/** @type {boolean} */ on) => {
              app.settings.overlay.value = on;
            }}
            hint="Outlines the regions of the board and what can be taken now."
          />
        </section>`}
        <section class="card">
          <h2>Facts</h2>
          <dl class="facts">
            ${factsOf(review, { when: dateText(game.finished_ms) }).map(
              ([label, text]) => html`<div key=${label}>
                <dt>${label}</dt>
                <dd>${text}</dd>
              </div>`,
            )}
          </dl>
        </section>
        <section class="card stack">
          <h2>Pass it on</h2>
          <${Share}
            app=${app}
            url=${linkTo(review, access.code)}
            title=${`${game.players[0]} against ${game.players[1]}`}
            label="Link to this position"
            qr="hidden"
          />
          <${Exports} app=${app} review=${review} access=${access} />
        </section>
      </div>
    </div>
  `;
}

/** @param {{review: Review, seat: number}} props */
function Seat({ review, seat }) {
  const player = review.player(seat);
  const face = player.clock === null ? null : clockFace(player.clock);
  return html`<div class=${player.toMove ? `seat-line seat${seat} to-move` : `seat-line seat${seat}`}>
    <span class="seat-mark" aria-hidden="true">${player.mark}</span>
    <span class="seat-name"><${Name} name=${player.name} /></span>
    ${player.engine && html`<span class="muted small seat-engine">${player.engine}</span>`}
    ${player.toMove && html`<span class="small to-move-mark">to move</span>`}
    <span class="grow"></span>
    ${face !== null &&
    html`<span class=${face.low ? "numbers seat-clock low" : "numbers seat-clock"}
      ><span class="visually-hidden">clock </span>${face.text}</span
    >`}
    ${review.geometry.unit &&
    html`<span class="numbers seat-score"><span class="visually-hidden">score </span>${player.score}</span>`}
  </div>`;
}

/**
 * @param {App} app
 * @param {Review} review
 * @param {(act: () => void) => void} change
 */
function useActions(app, review, change) {
  return useMemo(() => {
    const stopped = (/** @type {() => void} */ step) =>
      change(() => {
        review.stop();
        step();
      });
    return {
      go: (/** @type {number} */ ply) => stopped(() => review.go(ply)),
      step: (/** @type {number} */ by) => stopped(() => review.step(by)),
      stepTurn: (/** @type {number} */ by) => stopped(() => review.stepTurn(by)),
      playOrStop: () =>
        change(() => {
          if (review.playing) review.stop();
          else review.play(app.now());
        }),
    };
  }, [review]);
}

/**
 * @param {App} app
 * @param {Review} review
 * @param {(act: () => void) => void} change
 */
function useAutomaticPlay(app, review, change) {
  useEffect(() => {
    if (!review.playing) return undefined;
    const timer = setInterval(() => {
      const before = review.ply;
      if (review.tick(app.now())) change(() => {});
      if (review.ply !== before) app.sounds.play(review.scored ? "capture" : "draw");
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [review.playing]);
  useEffect(() => () => review.stop(), [review]);
}

/**
 * @param {App} app
 * @param {ReturnType<typeof useActions>} act
 */
function useKeys(app, act) {
  useEffect(() => {
    app.shortcuts.value = KEYS;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => act.step(-1),
      ArrowRight: () => act.step(1),
      ArrowUp: () => act.stepTurn(-1),
      ArrowDown: () => act.stepTurn(1),
      Home: () => act.go(0),
      End: () => act.go(Infinity),
      ",": () => act.step(-1),
      ".": () => act.step(1),
      " ": act.playOrStop,
    };
    const press = (/** @type {KeyboardEvent} */ event) => {
      const run = keys[event.key];
      if (!run || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target instanceof Element ? event.target : null;
      if (target?.closest("input, select, textarea, dialog")) return;
      // Speech input types single characters, so a person can turn these off.
      if (event.key.length === 1 && !app.settings.shortcuts.value) return;
      // The space bar presses the focused button, and opens what can be folded up.
      if (event.key === " " && target?.closest("button, a, summary")) return;
      event.preventDefault();
      run();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [act]);
}

/**
 * Keep the ply in the address, so that a reload and a copied link show the same position.
 *
 * @param {Review} review
 * @param {string} code
 */
function useAddress(review, code) {
  const { ply } = review;
  useEffect(() => {
    const timer = setTimeout(() => {
      history.replaceState(history.state, "", linkTo(review, code));
    }, SETTLED_MS);
    return () => clearTimeout(timer);
  }, [ply]);
}

/**
 * @param {Review} review
 * @param {string} code
 */
function linkTo(review, code) {
  const ply = review.ply === review.total ? null : review.ply;
  const place = writePlace({ code, ply });
  return `${location.origin}${location.pathname}${place && `#${place}`}`;
}

/**
 * Return the features of the position shown, or null while they are not wanted or not known.
 *
 * @param {Review} review
 * @param {boolean} wanted
 * @returns {PositionFeature[] | null}
 */
function useFeatures(review, wanted) {
  const [found, setFound] = useState(
    /** @type {{ply: number, features: PositionFeature[]} | null} */ (null),
  );
  const { ply, game } = review;
  useEffect(() => {
    if (!wanted) return undefined;
    const stop = new AbortController();
    const timer = setTimeout(async () => {
      try {
        const query = positionQuery(game, game.moves.slice(0, ply));
        const { features } = await getJson("/api/features", query, { signal: stop.signal });
        setFound({ ply, features });
      } catch {
        setFound(null); // the board without outlines is still right
      }
    }, 100);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [wanted, ply]);
  return wanted && found !== null && found.ply === ply ? found.features : null;
}
