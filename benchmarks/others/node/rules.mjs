/**
 * The rules of Dots and Boxes on a board of `rows` x `cols` boxes.
 *
 * Edges have the numbers that the Python side uses: first the horizontal edges, row by row, then the
 * vertical ones.
 */

/** Return the boxes beside each edge (one or two), and the four edges of each box. */
export function board(rows, cols) {
  const horizontals = (rows + 1) * cols;
  const edges = horizontals + rows * (cols + 1);
  const boxesOf = Array.from({ length: edges }, () => []);
  const edgesOf = [];
  for (let row = 0; row < rows; row++) {
    for (let col = 0; col < cols; col++) {
      const left = horizontals + row * (cols + 1) + col;
      const around = [row * cols + col, (row + 1) * cols + col, left, left + 1];
      for (const edge of around) boxesOf[edge].push(edgesOf.length);
      edgesOf.push(around);
    }
  }
  return { edges, boxesOf, edgesOf };
}

/** Say why `seat` may not play `edge`; return an empty string if it may. */
export function refusal(state, shape, seat, edge) {
  if (seat !== state.turn) return "It is the other player's turn.";
  if (!Number.isInteger(edge) || edge < 0 || edge >= shape.edges) return "There is no such edge.";
  if (state.edges[edge]) return "This edge is already drawn.";
  return "";
}

/** Draw a legal edge for the player whose turn it is; return the boxes that it closes. */
export function draw(state, shape, edge) {
  state.edges[edge] = 1;
  const closed = shape.boxesOf[edge].filter((box) =>
    shape.edgesOf[box].every((other) => state.edges[other]),
  );
  for (const box of closed) state.owners[box] = state.turn + 1;
  if (closed.length) state.scores[state.turn] += closed.length;
  else state.turn = 1 - state.turn;
  state.ply += 1;
  return closed;
}
