// The address of an analysis board: /analysis/GAME:SIZE:OPENING:MOVES#BRANCH.PLY;FROM:MOVES;FROM:MOVES
//
// OPENING and MOVES are actions with commas between them; MOVES is the main line. `:SEAT.FIRST.SECOND` may follow: which seat
// begins, and the points of both seats at that time. Behind the # stand the branch that is shown (empty: the main line), how
// many of its moves are, and the branches: after how many moves they leave the main line, and with which ones.

/** @import { Branch } from "./tree.js" */
/**
 * Who is to move after the opening, and the points of both.
 * @typedef {{seat: number, scores: readonly number[]}} Begin
 * @typedef {{game: string, size: string, opening: number[], moves: number[], begin?: Begin}} Place
 */

/** @type {Begin} How games begin by the rules. */
export const USUAL = { seat: 0, scores: [0, 0] };

/**
 * Return the address of a main line; `at` says how many of its moves are shown, without it all.
 * @param {{game: string, size: string, opening?: readonly number[], begin?: Begin}} start
 * @param {readonly number[]} moves
 * @param {number} [at]
 */
export function analysisPath({ game, size, opening = [], begin = USUAL }, moves, at = moves.length) {
  const { seat, scores } = begin;
  const points = scores.some(Boolean) ? `.${scores.join(".")}` : "";
  const begun = seat || points ? `:${seat}${points}` : "";
  const path = `/analysis/${game}:${size}:${opening.join(",")}:${moves.join(",")}${begun}`;
  return at === moves.length ? path : `${path}#.${at}`;
}

/**
 * Return what the part of an address names, or null.
 * @param {string} text
 * @returns {Place | null}
 */
export function readPlace(text) {
  const found = /^([a-z-]+):([0-9x]+):([0-9,]*):([0-9,]*)(?::([01])(?:\.(\d{1,3})\.(\d{1,3}))?)?$/.exec(text);
  if (!found) return null;
  const [, game, size, opening, moves, seat = 0, ...scores] = found;
  return { game, size, opening: actions(opening), moves: actions(moves), begin: { seat: Number(seat), scores: scores.map((points) => Number(points ?? 0)) } };
}

/**
 * Return what stands behind the #; empty: the end of the main line, without branches.
 * @param {{main: readonly number[], branches: readonly Branch[], branch: number | null, at: number}} tree
 */
export function writeBranches({ main, branches, branch, at }) {
  if (!branches.length && branch === null && at === main.length) return "";
  return [`${branch ?? ""}.${at}`, ...branches.map(({ from, moves }) => `${from}:${moves.join(",")}`)].join(";");
}

/**
 * @param {string} hash
 * @returns {{branch: number | null, at: number | null, branches: Branch[]}}
 */
export function readBranches(hash) {
  const [place = "", ...rest] = hash.replace(/^#/, "").split(";");
  const [, branch, at] = /^(\d*)\.(\d+)$/.exec(place) ?? [];
  const branches = rest.flatMap((text) => {
    const found = /^(\d+):([0-9,]+)$/.exec(text);
    return found ? [{ from: Number(found[1]), moves: actions(found[2]) }] : [];
  });
  return { branch: branch ? Number(branch) : null, at: at === undefined ? null : Number(at), branches };
}

/** @param {string} text */
const actions = (text) => (text ? text.split(",").filter(Boolean).map(Number) : []);
