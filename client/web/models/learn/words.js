// What the pages of lessons and puzzles say, without DOM.

import { plural, tr } from "../../texts.js";
import { plain } from "./text.js";

/**
 * @import { GamePosition } from "../../types/api"
 * @import { LessonSession } from "./lesson.js"
 * @import { PuzzleSession } from "./puzzle.js"
 */

/** @typedef {{text: string, tone: "plain" | "good" | "bad"}} Message */

const SEATS = ["A", "B"];
const WAITING = tr("Thinking about your move ...");
const MARKED = tr("The marked edge is right.");
export const NOT_A_NUMBER = tr("Enter a whole number, such as 3.");
/** The difficulties of puzzles. */
export const LEVELS = [1, 2, 3, 4, 5];

/**
 * Return the number that a text means, or null.
 * @param {string} text
 */
export const numberIn = (text) => (/^\d{1,3}$/.test(text.trim()) ? Number(text) : null);

/**
 * Return the parameters of a size such as `3x4`.
 * @param {string} size
 */
export function paramsOf(size) {
  const [rows, cols] = size.split("x").map(Number);
  return { rows, cols };
}

/**
 * Return who the learner is and the score: `You are A · 2-1`.
 * @param {number} seat
 * @param {GamePosition | undefined} position
 */
export function youAre(seat, position) {
  const name = SEATS[seat];
  if (!position) return tr("You are {name}", { name });
  const { scores } = position;
  return tr("You are {name} · {mine} : {theirs}", { name, mine: scores[seat], theirs: scores[1 - seat] });
}

/**
 * Return what is said below the task of an exercise.
 * @param {LessonSession} session
 * @param {string} hint the hint that was asked for last, or ""
 * @returns {Message}
 */
export function lessonMessage(session, hint) {
  const { status, feedback, exercise, mistakes } = session;
  const said = plain(feedback.join(" "));
  if (status === "solved") return { text: said || tr("Solved."), tone: "good" };
  if (hint) return { text: plain(hint), tone: "plain" };
  if (status === "waiting" && !said) return { text: WAITING, tone: "plain" };
  const right = ["watch", "find"].includes(exercise.kind) && !mistakes;
  return { text: said, tone: right ? "plain" : "bad" };
}

/**
 * Return the hint to show when somebody asks for one.
 * @param {LessonSession} session
 */
export function nextHint(session) {
  const hint = session.hint();
  const marked = session.marked.length;
  if (!marked) return hint;
  return marked === 1 ? MARKED : tr("Each of the marked edges is right.");
}

/**
 * Return how far an exercise is, such as `1 of 3 moves`; empty where it has one step.
 * @param {LessonSession} session
 */
export function doneLine(session) {
  const [done, whole] = session.progress;
  const { kind } = session.exercise;
  const counts = { done, count: whole };
  if (whole <= 1 || !["best", "find", "watch"].includes(kind)) return "";
  return kind === "find" ? tr("{done} of {count} edges", counts) : tr("{done} of {count} moves", counts);
}

/**
 * Return what is said below the question of a puzzle.
 * @param {PuzzleSession} session
 * @returns {Message}
 */
export function puzzleMessage({ status, feedback, helped, hinted, mistakes, turn, puzzle, marked, exhausted }) {
  const said = feedback.join(" ");
  if (status === "solved") {
    const how = helped
      ? tr("Solved, but it does not count: you have seen the solution.")
      : hinted
        ? tr("Solved with a hint.")
        : mistakes
          ? plural("Solved after 1 mistake.", "Solved after {n} mistakes.", mistakes)
          : tr("Solved at the first try.");
    return { text: `${how} ${said}`.trim(), tone: helped || hinted || mistakes ? "plain" : "good" };
  }
  if (status === "shown") return { text: `${tr("This is the solution.")} ${said}`.trim(), tone: "plain" };
  if (status === "wrong") return { text: `${said} ${tr("Try another edge.")}`, tone: "bad" };
  if (status !== "yours") return { text: WAITING, tone: "plain" };
  if (marked.length) return { text: exhausted ? MARKED : tr("One of the marked edges is right."), tone: "plain" };
  const next = turn ? tr("Now find turn {number} of {count}.", { number: turn + 1, count: puzzle.turns }) : "";
  const right = turn && !helped ? tr("Right.") : "";
  return { text: `${right} ${said} ${next}`.trim(), tone: "plain" };
}
