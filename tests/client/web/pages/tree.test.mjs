// The analysis board: branches of its tree, and its address.

import assert from "node:assert/strict";
import { test } from "node:test";

import { USUAL, analysisPath, readBranches, readPlace, writeBranches } from "../../../../client/web/models/analysis/address.js";
import { Tree } from "../../../../client/web/models/analysis/tree.js";

test("a move that differs makes a branch, and one that is known leads on", () => {
  const tree = new Tree([1, 2, 3]);
  tree.go(null, 1);
  tree.play(2);
  assert.deepEqual([tree.branch, tree.at], [null, 2]);
  tree.play(7);
  tree.play(8);
  assert.deepEqual([tree.branches, tree.branch, tree.moves], [[{ from: 2, moves: [7, 8] }], 0, [1, 2, 7, 8]]);
  // A branch has no branches: another one begins with the same moves.
  tree.step(-1);
  tree.play(9);
  assert.deepEqual([tree.branches[1], tree.branch], [{ from: 2, moves: [7, 9] }, 1]);
  // The main line and the first branch are found again from inside of the second.
  tree.step(-2);
  tree.play(3);
  assert.deepEqual([tree.branch, tree.at], [null, 3]);
  tree.go(null, 2);
  tree.play(7);
  assert.deepEqual([tree.branch, tree.branches.length], [0, 2]);
  tree.go(null, 3);
  tree.play(5);
  assert.deepEqual(tree.main, [1, 2, 3, 5]);
});

test("branches and the rest of the main line can be deleted", () => {
  const tree = new Tree([1, 2, 3]);
  tree.go(null, 2);
  tree.play(7);
  tree.cut();
  assert.deepEqual([tree.branches, tree.branch, tree.at], [[], null, 2]);
  tree.cut();
  assert.deepEqual([tree.main, tree.at], [[1, 2], 2]);
  // At its end the last move goes.
  tree.cut();
  assert.deepEqual(tree.main, [1]);
});

test("a best line is shown from its beginning", () => {
  const tree = new Tree([1, 2]);
  tree.go(null, 1);
  tree.add([5, 6]);
  assert.deepEqual([tree.moves, tree.line], [[1], [1, 5, 6]]);
});

test("an address names the position, the branches and the place", () => {
  const start = { game: "nim", size: "1x3", opening: [4] };
  assert.equal(analysisPath(start, [1, 2]), "/analysis/nim:1x3:4:1,2");
  assert.equal(analysisPath(start, [1, 2], 1), "/analysis/nim:1x3:4:1,2#.1");
  assert.deepEqual(readPlace("nim:1x3:4:1,2"), { ...start, moves: [1, 2], begin: USUAL });
  const begin = { seat: 1, scores: [3, 12] };
  assert.equal(analysisPath({ ...start, begin: { ...USUAL, seat: 1 } }, [1]), "/analysis/nim:1x3:4:1:1");
  assert.equal(analysisPath({ ...start, begin }, [1]), "/analysis/nim:1x3:4:1:1.3.12");
  assert.deepEqual(readPlace("nim:1x3:4:1:1.3.12"), { ...start, moves: [1], begin });
  for (const wrong of ["", "nim", "nim:1x3:4", "nim:1x3:a:1", "nim:1x3::1:2", "nim:1x3::1:1.3"]) assert.equal(readPlace(wrong), null);
  const tree = new Tree([1, 2]);
  assert.equal(writeBranches(tree), "");
  tree.go(null, 1);
  tree.play(7);
  const hash = writeBranches(tree);
  assert.equal(hash, "0.2;1:7");
  const found = new Tree([1, 2]);
  found.restore(readBranches(`#${hash}`));
  assert.deepEqual([found.branches, found.branch, found.at], [[{ from: 1, moves: [7] }], 0, 2]);
  found.restore(readBranches("#9.9;9:1"));
  assert.deepEqual([found.branches, found.branch, found.at], [[], null, 2]);
});
