// The positions of an analysis board. The page knows no rules, so it asks the server for those along each line.

import { useEffect, useRef, useState } from "preact/hooks";

import { getJson } from "../../net/api.js";

/** @import { GamePosition, Positions } from "../../types/api.js" */
/** @import { Begin } from "../../models/analysis/address.js" */

/**
 * Return what is known about the positions of a line and of those before; `get` returns undefined while it is fetched.
 * The rules know only games that seat 0 begins without points; where that is otherwise, the players change seats.
 *
 * @param {{game: string, size: string, opening: readonly number[], begin: Begin}} start
 * @param {readonly number[]} line
 * @returns {{get: (moves: readonly number[]) => GamePosition | undefined, problem: string}}
 */
export function usePositions({ game, size, opening, begin }, line) {
  const known = useRef(/** @type {Map<string, GamePosition>} */ (new Map()));
  const [problem, setProblem] = useState("");
  const [, setCount] = useState(0);
  const place = (/** @type {readonly number[]} */ moves) => `${opening} ${moves}`;
  const key = place(line);
  useEffect(() => {
    if (known.current.has(key)) return undefined;
    const stop = new AbortController();
    /** @type {Promise<Positions>} */
    const asked = getJson("/api/positions", { game, size, opening, moves: line }, { signal: stop.signal });
    asked.then(
      ({ positions }) => {
        positions.forEach((each, at) => known.current.set(place(line.slice(0, at)), each));
        setProblem("");
        setCount((count) => count + 1);
      },
      (error) => {
        if (!stop.signal.aborted) setProblem(error.sentence ?? String(error));
      },
    );
    return () => stop.abort();
  }, [key]);
  const get = (/** @type {readonly number[]} */ moves) => {
    const found = known.current.get(place(moves));
    return found && positionFrom(found, begin);
  };
  return { get, problem };
}

/**
 * @param {GamePosition} position
 * @param {Begin} begin
 * @returns {GamePosition}
 */
function positionFrom(position, { seat, scores: points }) {
  if (!seat && !points.some(Boolean)) return position; // nearly always, and asked for each move
  const { cells, scores, to_move: mover } = position;
  const owner = (/** @type {string} */ sign) => (sign === "0" || sign === "1" ? String(Math.abs(seat - Number(sign))) : sign);
  return {
    ...position,
    cells: [...cells].map(owner).join(""),
    scores: [scores[seat] + points[0], scores[1 - seat] + points[1]],
    to_move: mover === null ? null : Math.abs(seat - mover),
  };
}
