// What a review does: step, play automatically, follow keys, name the position in the address.

import { useEffect, useLayoutEffect, useMemo } from "preact/hooks";

import { Variation } from "../../models/review/variation.js";
import { ApiError, getJson } from "../../net/api.js";
import { PositionFacts } from "../../net/facts.js";
import { typing } from "../../app/shortcuts.js";
import { tr } from "../../texts.js";
import { shownKeys } from "../common/overlays.js";
import { writePlace } from "./address.js";
import { positionQuery } from "./query.js";

/** @typedef {import("../../models/review/review.js").Review} Review */
/** @typedef {ReturnType<typeof useActions>} Act */
/** @typedef {import("../../app/app.js").App} App */

const STEPS = [
  { keys: "Left/Right", what: tr("Back and forward one move") },
  { keys: "Up/Down", what: tr("Back and forward one turn") },
  { keys: "Home/End", what: tr("Start and end") },
  { keys: "Space", what: tr("Play or pause") },
];
const VALUES = { keys: "V", what: tr("Values") };
const ANALYSIS_KEYS = [
  { keys: "M", what: tr("Next mistake") },
  { keys: "Shift+M", what: tr("Mistake before") },
  { keys: "L", what: tr("Show the better line") },
  { keys: "Escape", what: tr("Back to the game") },
];
/** How often automatic play looks whether the next move is due, in milliseconds. */
const TICK_MS = 50;
/** How long the position stands still before the address names it, in milliseconds. */
const SETTLED_MS = 300;

/**
 * @param {App} app
 * @param {Review} review
 * @param {(act: () => void) => void} change
 */
export function useActions(app, review, change) {
  return useMemo(() => {
    const stopped = (/** @type {() => void} */ step) =>
      change(() => {
        review.stop();
        step();
      });
    /** @param {"line" | "answer"} which */
    const show = async (which) => {
      const actions = review.report?.note(review.ply)[which] ?? [];
      if (!actions.length || review.variation) return;
      const { ply, game } = review;
      const from = which === "line" ? ply - 1 : ply;
      const moves = [...game.moves.slice(0, from), ...actions];
      try {
        const { positions } = await getJson("/api/positions", positionQuery(game, moves));
        // The person may have gone elsewhere meanwhile.
        if (review.ply !== ply || review.variation) return;
        stopped(() => review.enter(new Variation(which, from, actions, positions.slice(from))));
        change(() => review.play(app.now()));
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        app.complain(error);
      }
    };
    return {
      show,
      leave: () => stopped(() => review.leave()),
      /** @param {number} by */
      mistake: (by) => {
        const found = review.report?.mistake(review.ply, by);
        if (found) stopped(() => review.go(found));
      },
      toEnd: (/** @type {number} */ by) => stopped(() => review.toEnd(by)),
      go: (/** @type {number} */ ply) => stopped(() => review.go(ply)),
      step: (/** @type {number} */ by) => stopped(() => review.step(by)),
      stepTurn: (/** @type {number} */ by) => stopped(() => review.stepTurn(by)),
      pace: (/** @type {number | null} */ pace) => change(() => review.choosePace(pace, app.now())),
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
export function useAutomaticPlay(app, review, change) {
  useEffect(() => {
    if (!review.playing) return undefined;
    const timer = setInterval(() => {
      if (!review.tick(app.now())) return;
      change(() => {});
      app.sounds.play(review.scored ? "capture" : "draw");
    }, TICK_MS);
    return () => clearInterval(timer);
  }, [review.playing]);
  useEffect(() => () => review.stop(), [review]);
}

/**
 * @param {App} app
 * @param {Review} review
 * @param {Act} act
 * @param {(() => void) | null} toggleValues null: the server values no positions of this game
 */
export function useKeys(app, review, act, toggleValues) {
  const analysed = review.report !== null;
  const valued = toggleValues !== null;
  // Before the first paint, so that a key is not lost that is pressed as soon as the board shows.
  useLayoutEffect(() => {
    const { offers } = review;
    app.shortcuts.value = [
      ...STEPS,
      ...shownKeys(offers),
      ...(valued ? [VALUES] : []),
      ...(analysed ? ANALYSIS_KEYS : []),
    ];
    const { overlay, heat } = app.settings;
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => act.step(-1),
      ArrowRight: () => act.step(1),
      ArrowUp: () => act.stepTurn(-1),
      ArrowDown: () => act.stepTurn(1),
      Home: () => act.toEnd(-1),
      End: () => act.toEnd(1),
      ",": () => act.step(-1),
      ".": () => act.step(1),
      " ": act.playOrStop,
    };
    if (offers.features) keys["c"] = () => (overlay.value = !overlay.value);
    if (offers.policy) keys["n"] = () => (heat.value = !heat.value);
    if (toggleValues !== null) keys["v"] = toggleValues;
    if (analysed) {
      keys["m"] = () => act.mistake(1);
      keys["M"] = () => act.mistake(-1);
      keys["l"] = () => void act.show("line");
      keys["Escape"] = act.leave;
    }
    const press = (/** @type {KeyboardEvent} */ event) => {
      const run = keys[event.key];
      if (!run || event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
      const target = event.target instanceof Element ? event.target : null;
      if (typing(event) || target?.closest("dialog")) return;
      // Speech input types single characters, so a person can turn these off.
      if (event.key.length === 1 && !app.settings.shortcuts.value) return;
      // The space bar presses the focused button, and opens what can be folded up.
      if (event.key === " " && target?.closest("button,a,summary,input,select")) return;
      event.preventDefault();
      run();
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [act, analysed, valued]);
}

/**
 * Keep the ply in the address, so that a reload and a copied link show the same position.
 *
 * @param {Review} review
 * @param {string | null} code - of a private room; null: the game has no address
 */
export function useAddress(review, code) {
  const { ply } = review;
  useEffect(() => {
    if (code === null) return undefined;
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
export function linkTo(review, code) {
  const ply = review.ply === review.total ? null : review.ply;
  const place = writePlace({ code, ply });
  return `${location.origin}${location.pathname}${place && `#${place}`}`;
}

/**
 * Return a function that tells what the server knows about the position shown; null: not yet.
 *
 * @param {Review} review
 * @param {() => void} redraw
 */
export function useFacts(review, redraw) {
  const facts = useMemo(() => new PositionFacts(redraw), [review]);
  return (/** @type {"features" | "policy"} */ kind) =>
    facts.get(kind, positionQuery(review.game, review.moves));
}
