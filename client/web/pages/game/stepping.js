// What a review does: step, play automatically, follow keys, name the position in the address.

import { useEffect, useMemo } from "preact/hooks";

import { Variation } from "../../models/review/variation.js";
import { ApiError, getJson } from "../../net/api.js";
import { PositionFacts } from "../../net/facts.js";
import { tr } from "../../texts.js";
import { overlayKeys, stepKeys, useStudyKeys } from "../common/study.js";
import { writePlace } from "./address.js";
import { positionQuery } from "./query.js";

/** @typedef {import("../../models/review/review.js").Review} Review */
/** @typedef {ReturnType<typeof useActions>} Act */
/** @typedef {import("../../app/app.js").App} App */

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
 * What the controls step through: the game, or the line that is shown instead.
 * @param {Review} review
 * @param {Act} act
 * @returns {import("../common/study.js").Steps}
 */
export function stepsOf(review, act) {
  const { at, total } = review.track;
  return { at, total, playing: review.playing, step: act.step, toEnd: act.toEnd, playOrStop: act.playOrStop, turn: act.stepTurn };
}

/**
 * @param {App} app
 * @param {Review} review
 * @param {Act} act
 * @param {(() => void) | null} toggleValues null: the server values no positions of this game
 */
export function useKeys(app, review, act, toggleValues) {
  const analysed = review.report !== null;
  const key = (/** @type {string} */ keys, /** @type {string} */ what, /** @type {Record<string, () => void>} */ on) => ({ keys, what, on });
  useStudyKeys(app, [
    ...stepKeys(stepsOf(review, act)),
    ...overlayKeys(app, review.offers),
    ...(toggleValues ? [key("H", tr("Values"), { h: toggleValues, v: toggleValues })] : []),
    ...(analysed
      ? [
          key("M", tr("Next mistake"), { m: () => act.mistake(1) }),
          key("Shift+M", tr("Mistake before"), { M: () => act.mistake(-1) }),
          key("L", tr("Show the better line"), { l: () => void act.show("line") }),
          key("Escape", tr("Back to the game"), { Escape: act.leave }),
        ]
      : []),
  ]);
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
