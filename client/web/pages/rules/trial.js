// A small board to try a game on: both sides are played here, and nothing is sent or stored.
//
// The page knows no rules, so it asks the server for the position after each move.

import { useEffect, useState } from "preact/hooks";

import { Board } from "../../board/board.js";
import { html } from "../../html.js";
import { sizeOf } from "../../app/catalogue.js";
import { getJson } from "../../net/api.js";
import { tr } from "../../texts.js";
import { Button } from "../../widgets/button.js";

/** @import { GameGeometry, GamePosition, Positions } from "../../types/api.js" */

/**
 * @param {{app: import("../../app/app.js").App, game: import("../../types/api.js").CatalogueGame,
 *   size: Record<string, number>}} props
 */
export function TrialBoard({ app, game, size }) {
  const [geometry, setGeometry] = useState(/** @type {GameGeometry | null} */ (null));
  const [moves, setMoves] = useState(/** @type {number[]} */ ([]));
  const [known, setKnown] = useState(
    /** @type {{moves: number[], positions: GamePosition[]} | null} */ (null),
  );
  const [problem, setProblem] = useState("");
  useEffect(() => {
    app.geometry(game.key, size).then(setGeometry, (error) => setProblem(error.sentence));
  }, []);
  useEffect(() => {
    const stop = new AbortController();
    const params = { game: game.key, size: sizeOf(game, size), moves };
    /** @type {Promise<Positions>} */
    const asked = getJson("/api/positions", params, { signal: stop.signal });
    asked.then(
      ({ positions }) => {
        setProblem("");
        setKnown({ moves, positions });
      },
      (error) => {
        if (!stop.signal.aborted) setProblem(error.sentence);
      },
    );
    return () => stop.abort();
  }, [moves]);
  if (geometry === null || known === null) {
    return html`<div class="trial trial-empty">${problem && html`<p class="muted small">${problem}</p>`}</div>`;
  }
  const at = known.positions[known.positions.length - 1];
  const drawers = known.moves.map((_, ply) => /** @type {0 | 1 | null} */ (known.positions[ply].to_move));
  const marks = game.seat_names;
  const over = at.to_move === null;
  return html`<div class="trial">
    <div class="trial-board">
      <${Board}
        geometry=${geometry}
        rim=${app.settings.rim.value}
        position=${{
          cells: at.cells,
          before: known.positions.at(-2)?.cells,
          legal: at.legal,
          winning: at.winning,
          played: known.moves,
          drawers,
          last: known.moves.at(-1) ?? null,
          toMove: over ? null : at.to_move,
        }}
        seats=${[
          { name: tr("Player {name}", { name: marks[0] }), initial: marks[0] },
          { name: tr("Player {name}", { name: marks[1] }), initial: marks[1] },
        ]}
        seat=${null}
        mode="play"
        pending=${moves.length > known.moves.length ? moves.at(-1) : null}
        label=${tr("A board to try {game} on", { game: tr(game.title) })}
        onPlay=${(/** @type {number} */ action) => {
          if (moves === known.moves) setMoves([...moves, action]);
        }}
        say=${(/** @type {string} */ text) => app.say(text)}
      />
    </div>
    <p class="row apart small">
      <span class="muted" role="status">
        ${game.unit &&
        html`${marks[0]} <span class="numbers">${at.scores[0]} : ${at.scores[1]}</span> ${marks[1]}`}
        ${game.unit ? " · " : ""}${over ? tr("The game is over.") : tr("{name} moves.", { name: marks[at.to_move ?? 0] })}
      </span>
      <${Button} small disabled=${!moves.length} onPress=${() => setMoves([])}>${tr("Start again")}<//>
    </p>
    <p class="muted small">${tr("Try it: play both sides here.")}</p>
    ${problem && html`<p class="error small" role="alert">${problem}</p>`}
  </div>`;
}
