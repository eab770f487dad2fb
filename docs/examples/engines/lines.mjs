// The shortest bot, for `lines:node lines.mjs`: it draws any free edge.
import { createInterface } from "node:readline";

let free;
for await (const line of createInterface({ input: process.stdin })) {
  if (!free) {
    const [rows, cols] = line.split(" ")[1].split("x").map(Number); // dots-and-boxes 3x3
    free = new Set();
    for (let x = 0; x <= 2 * cols; x++)
      for (let y = 0; y <= 2 * rows; y++)
        if ((x + y) % 2) free.add(`${String.fromCharCode(97 + x)}${y + 1}`);
    continue;
  }
  for (const move of line.split(" ")) free.delete(move); // what others drew since my last move
  const move = [...free][Math.floor(Math.random() * free.size)];
  free.delete(move);
  console.log(move);
}
