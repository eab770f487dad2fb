// A complete engine for Dots and Boxes in JavaScript, for node. Improve `choose`.
import { createInterface } from "node:readline";

/** A position: the edges that are drawn, the score, and who is to move. */
class Board {
  constructor(rows, cols) {
    this.rows = rows;
    this.cols = cols;
    // Horizontal edges come first, row by row from the top, then the vertical ones.
    const places = [];
    for (let r = 0; r <= rows; r++) for (let c = 0; c < cols; c++) places.push([2 * c + 1, 2 * r]);
    for (let r = 0; r < rows; r++) for (let c = 0; c <= cols; c++) places.push([2 * c, 2 * r + 1]);
    this.names = places.map(([x, y]) => `${String.fromCharCode(97 + x)}${2 * rows + 1 - y}`);
    this.numbers = new Map(this.names.map((name, edge) => [name, edge]));
    this.beside = places.map(([x, y]) => this.boxesBeside(x, y));
    this.clear();
  }

  /** Return the boxes beside an edge; odd places in both directions are boxes. */
  boxesBeside(x, y) {
    const around = x % 2 ? [[x, y - 1], [x, y + 1]] : [[x - 1, y], [x + 1, y]];
    return around
      .filter(([a, b]) => a > 0 && a < 2 * this.cols + 1 && b > 0 && b < 2 * this.rows + 1)
      .map(([a, b]) => Math.floor(b / 2) * this.cols + Math.floor(a / 2));
  }

  clear() {
    this.drawn = new Set();
    this.sides = new Array(this.rows * this.cols).fill(0);
    this.boxes = [0, 0];
    this.mover = 0;
  }

  /** Draw an edge. Who completes a box moves again; an opening belongs to nobody. */
  draw(edge, isOpening = false) {
    this.drawn.add(edge);
    let captured = 0;
    for (const box of this.beside[edge]) if (++this.sides[box] === 4) captured++;
    if (isOpening) return;
    this.boxes[this.mover] += captured;
    if (!captured) this.mover = 1 - this.mover;
  }

  /** Read the words after "position": startpos, or fen and an opening, and perhaps moves. */
  read(words) {
    this.clear();
    if (words[0] === "fen") {
      for (const edge of words[1].split("/")[0].split(",").filter(Boolean)) this.draw(+edge, true);
    }
    const moves = words.indexOf("moves");
    if (moves >= 0) for (const name of words.slice(moves + 1)) this.draw(this.numbers.get(name));
  }
}

/** Take a box; else draw an edge that gives none away; else any. Your ideas go here. */
function choose(board) {
  const value = (edge) => {
    const sides = board.beside[edge].map((box) => board.sides[box]);
    return sides.includes(3) ? 2 : sides.includes(2) ? 0 : 1;
  };
  const free = board.names.map((_, edge) => edge).filter((edge) => !board.drawn.has(edge));
  const best = Math.max(...free.map(value));
  const good = free.filter((edge) => value(edge) === best);
  return good[Math.floor(Math.random() * good.length)];
}

let board = new Board(5, 5);
for await (const line of createInterface({ input: process.stdin })) {
  const [word, ...rest] = line.trim().split(/\s+/);
  if (word === "ugi") {
    console.log("id name Template in JavaScript");
    console.log("id version 1");
    console.log("option name UGI_Size type string default 5x5");
    console.log("ugiok");
  } else if (word === "isready") console.log("readyok");
  else if (word === "setoption" && rest[1] === "UGI_Size") board = new Board(...rest[3].split("x").map(Number));
  else if (word === "position") board.read(rest);
  else if (word === "go") console.log(`bestmove ${board.names[choose(board)]}`);
  else if (word === "query" && rest[0] === "p1turn") console.log(`response ${board.mover === 0}`);
  else if (word === "quit") process.exit(0);
}
