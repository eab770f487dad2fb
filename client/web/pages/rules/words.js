// The rules of the known games in words. A game without an entry still has its board on the page.

import { tr } from "../../texts.js";

/**
 * @typedef {object} Words
 * @property {string[]} rules
 * @property {[string, string][]} [tips] a term and what it means
 * @property {Record<string, number>} trial the parameters of the small board on the page
 */

/** @type {Record<string, Words>} */
export const WORDS = {
  "dots-and-boxes": {
    rules: [
      tr("Two players take turns. A move draws one edge between two neighbouring dots."),
      tr("Who draws the fourth edge of a box captures it and must move again."),
      tr("When every edge is drawn the game is over. Who has more boxes wins; with equal boxes it is a draw."),
    ],
    tips: [
      [
        tr("Chain"),
        tr("Boxes in a row with two edges each. Who opens a chain gives all its boxes to the opponent. A long chain has three boxes or more."),
      ],
      [tr("Loop"), tr("A chain that closes on itself. It has four boxes or more.")],
      [
        tr("Double-dealing move"),
        tr("Take all boxes of a chain except the last two, and decline those: the opponent takes them with one stroke, but has to open the next chain."),
      ],
      [
        tr("Control"),
        tr("Near the end, who makes the opponent open the long chains usually wins."),
      ],
    ],
    trial: { rows: 2, cols: 2 },
  },
  "tic-tac-toe": {
    rules: [
      tr("Two players take turns to put their sign into a free square."),
      tr("Who first has enough of them in a line (usually three), in a row, a column or a diagonal, wins."),
      tr("When the board is full without such a line, the game is a draw."),
    ],
    trial: { rows: 3, cols: 3, line: 3 },
  },
  "connect-four": {
    rules: [
      tr("Two players take turns to drop a disc into a column. It falls to the lowest free place."),
      tr("Who first has four discs in a line, in a row, a column or a diagonal, wins."),
      tr("When the board is full without such a line, the game is a draw."),
    ],
    tips: [[tr("The middle"), tr("Most lines pass through the middle column, so discs there are worth more.")]],
    trial: { rows: 6, cols: 7, line: 4 },
  },
  nim: {
    rules: [
      tr("There are heaps of objects. A turn takes one or more objects from a single heap."),
      tr("In the usual game here (misère) who takes the last object loses; in the normal game that player wins."),
    ],
    tips: [
      [
        tr("Nim sum"),
        tr("Write the sizes of the heaps in binary and add them without carrying. Leave your opponent a sum of zero while large heaps remain."),
      ],
    ],
    trial: {},
  },
};
