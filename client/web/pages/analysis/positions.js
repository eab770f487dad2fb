// The positions of an analysis board. The page knows no rules, so it asks the server for those along each line.

import { useEffect, useRef, useState } from "preact/hooks";

import { getJson } from "../../net/api.js";

/** @import { GamePosition, Positions } from "../../types/api.js" */

/**
 * Return what is known about the positions of a line and of those before; `get` returns undefined while it is fetched.
 * The rules know only games that seat 0 begins; with `second` both players have changed seats.
 *
 * @param {{game: string, size: string, opening: readonly number[], second: boolean}} start
 * @param {readonly number[]} line
 * @returns {{get: (moves: readonly number[]) => GamePosition | undefined, problem: string}}
 */
export function usePositions({ game, size, opening, second }, line) {
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
    return found && second ? turned(found) : found;
  };
  return { get, problem };
}

/**
 * @param {GamePosition} position
 * @returns {GamePosition}
 */
function turned(position) {
  const { cells, scores, to_move: mover } = position;
  const other = (/** @type {string} */ sign) => (sign === "0" ? "1" : sign === "1" ? "0" : sign);
  return { ...position, cells: [...cells].map(other).join(""), scores: [scores[1], scores[0]], to_move: mover === null ? null : 1 - mover };
}
