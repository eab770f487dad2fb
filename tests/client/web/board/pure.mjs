// Checks the modules of the board that need no browser, with the samples of all games.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

import { cellName, count, describeAction, verbOf } from "../../../../client/web/board/describe.js";
import { fit, lengthsOf, NO_RIM } from "../../../../client/web/board/layout.js";
import { FILL_MS, Fills, inOrder, LAG_MS } from "../../../../client/web/board/motion.js";
import { featurePath, labelOf, legendOf } from "../../../../client/web/board/paths.js";
import { claims, continues, differences, lastCells, pictureOf } from "../../../../client/web/board/picture.js";
import { BoardPlaces } from "../../../../client/web/board/places.js";
import { findRim, thinned } from "../../../../client/web/board/rim.js";
import { answerCommand, positionSentence } from "../../../../client/web/board/commands.js";
import { moveSentence } from "../../../../client/web/board/speech.js";

const samples = JSON.parse(readFileSync(process.env.BOARD_SAMPLES, "utf8"));
const seats = [{ name: "Ann", initial: "A" }, { name: "Bo", initial: "B" }];
const signs = ["A", "B"];
const boxes = samples["dots-and-boxes 2x2"];
const small = new BoardPlaces(boxes.geometry);

/** A position of 2x2 boxes after some moves, as [seat, action]; boxes belong to nobody. */
function boxesAfter(moves, cells = "....") {
  const played = moves.map(([, action]) => action);
  const legal = [...Array(12).keys()].map((action) => (played.includes(action) ? "0" : "1")).join("");
  const drawers = moves.map(([seat]) => seat);
  return { cells, legal, winning: [], played, drawers, last: played.at(-1) ?? null, toMove: 0, scores: [0, 0] };
}

for (const [name, { geometry, positions, features }] of Object.entries(samples)) {
  const places = new BoardPlaces(geometry);
  const first = positions[0];

  test(`${name}: a pointer in the middle of an action selects it`, () => {
    for (const [action, [x, y]] of places.middles)
      for (const kind of ["mouse", "touch"])
        assert.equal(places.actionAt(x, y, first.legal, kind), action);
  });

  test(`${name}: no pointer selects an action that is not legal`, () => {
    for (const position of positions)
      for (let x = -0.5; x <= geometry.width + 0.5; x += geometry.width / 7)
        for (let y = -0.5; y <= geometry.height + 0.5; y += geometry.height / 7) {
          const action = places.actionAt(x, y, position.legal, "touch");
          assert.ok(action === null || position.legal[action] === "1");
        }
  });

  test(`${name}: the arrows reach every legal action, and only those`, () => {
    for (const position of positions.slice(0, -1)) {
      const reached = new Set();
      let action = places.outermost(position.legal, false);
      for (let before = null; action !== before; ) {
        reached.add(action);
        [before, action] = [action, places.step(position.legal, action, 1, 0)];
      }
      assert.equal(action, places.outermost(position.legal, true));
      const legal = [...position.legal].flatMap((sign, each) => (sign === "1" ? [each] : []));
      assert.deepEqual([...reached].sort((a, b) => a - b), legal);
      for (const dy of [-1, 1]) assert.equal(position.legal[places.step(position.legal, action, 0, dy)], "1");
    }
    assert.equal(places.step("0".repeat(first.legal.length), null, 1, 0), null);
  });

  test(`${name}: what a preview and the last move show is what the move changed`, () => {
    for (let ply = 1; ply < positions.length; ply += 1) {
      const [before, after] = [positions[ply - 1], positions[ply]];
      const changed = [...after.cells].flatMap((owner, cell) => (owner !== before.cells[cell] ? [cell] : []));
      if (geometry.segments.length) continue;
      const sorted = (list) => [...list].sort((a, b) => a - b);
      assert.deepEqual(sorted(claims(places, before, after.last)), changed);
      assert.deepEqual(lastCells(places, after), changed);
      assert.deepEqual(lastCells(places, { ...after, before: null }), []);
    }
  });

  test(`${name}: pictures show what the positions say, and a move changes little`, () => {
    let before = null;
    for (const position of positions) {
      const picture = pictureOf(places, position, signs, null, null);
      for (const [action, look] of picture.edges) assert.equal(look === "free", !position.played.includes(action));
      picture.letters.forEach((letter, cell) => assert.equal(letter, { 0: "A", 1: "B", ".": "" }[position.cells[cell]]));
      const found = differences(before, picture);
      if (before !== null && geometry.segments.length) {
        assert.deepEqual(found.edges, [position.last]);
        assert.ok(found.cells.length <= 2);
      }
      before = picture;
    }
  });

  test(`${name}: sentences name every move and describe every position`, () => {
    for (let ply = 1; ply < positions.length; ply += 1) {
      const [before, after] = [positions[ply - 1], positions[ply]];
      const told = { action: after.last, player: "Ann", before: before.cells, after: after.cells, scores: after.scores };
      const sentence = moveSentence(geometry, told);
      assert.ok(sentence.startsWith("Ann ") && sentence.includes(geometry.names[after.last]), sentence);
      const situation = { position: before, names: ["Ann", "Bo"], clocks: [null, null], status: "Ann to move." };
      assert.deepEqual(answerCommand(geometry, geometry.names[after.last].toUpperCase(), situation), { action: after.last });
      const words = positionSentence(geometry, after, ["Ann", "Bo"]);
      assert.ok(!/undefined|null|NaN/.test(words) && words.endsWith("."), words);
      assert.ok(describeAction(places, before, seats, after.last).includes(geometry.names[after.last]));
    }
  });

  test(`${name}: features become paths inside the board`, () => {
    for (const list of features)
      for (const feature of list) {
        const path = featurePath(places, feature);
        for (const [x, y] of path.strokes.flat())
          assert.ok(x >= 0 && y >= 0 && x <= geometry.width && y <= geometry.height);
        assert.ok(path.room >= 1);
      }
  });

  test(`${name}: layouts have whole pixels and fit`, () => {
    for (const [width, height] of [[360, 360], [344, 290], [1200, 700], [140, 140]]) {
      const { unit, left, top, margin } = fit(geometry, width, height);
      assert.ok(Number.isInteger(unit) && Number.isInteger(left) && Number.isInteger(top));
      assert.ok(left >= margin && left + unit * geometry.width + margin <= width);
      assert.ok(top >= margin && top + unit * geometry.height + margin <= height);
      assert.equal((Math.round(lengthsOf(unit).stroke * unit * 100) / 100) % 2, 1);
    }
  });

  test(`${name}: a rim costs only the space of its labels, which name the actions`, () => {
    const rim = findRim(places.middles, geometry.names);
    if (rim === NO_RIM) assert.match(name, /^nim/);
    for (const [action, [x, y]] of rim === NO_RIM ? [] : places.middles) {
      const letter = rim.columns.find(([at]) => at === x)?.[1];
      const number = rim.rows.find(([at]) => at === y)?.[1] ?? "";
      assert.equal(`${letter}${number}`, geometry.names[action]);
    }
    for (const [width, height] of [[360, 360], [344, 290], [1200, 700], [140, 140]]) {
      const layout = fit(geometry, width, height, 1, [0, 0], rim);
      const { unit, left, top, margin, beside, below } = layout;
      const bare = fit(geometry, width, height);
      assert.ok(Math.max(beside, below) <= 34 && unit <= bare.unit && margin === bare.margin);
      if (unit > 4) {
        const wider = geometry.width * (unit + 1) + 2 * margin + beside;
        const higher = geometry.height * (unit + 1) + 2 * margin + below;
        assert.ok(wider > width || higher > height);
        assert.ok(left >= margin + beside && left + unit * geometry.width + margin <= width);
        assert.ok(top >= margin && top + unit * geometry.height + margin + below <= height);
      }
    }
  });
}

test("a rim needs letters and numbers that each name one place", () => {
  const middles = new Map([[0, [0, 1]], [1, [1, 1]], [2, [0, 0]], [3, [1, 0]]]);
  const rim = findRim(middles, ["a1", "b1", "a2", "b2"]);
  assert.deepEqual(rim, { columns: [[0, "a"], [1, "b"]], rows: [[1, "1"], [0, "2"]] });
  for (const last of ["a2", "b1", "end", undefined])
    assert.equal(findRim(middles, ["a1", "b1", "a2", last]), NO_RIM);
});

test("labels are left out where they would touch", () => {
  const labels = [..."abcdefg"].map((text, at) => [at / 2, text]);
  const shown = (least) => thinned(labels, least).map(([, text]) => text).join("");
  assert.deepEqual([shown(0.5), shown(0.6), shown(1.2)], ["abcdefg", "aceg", "adg"]);
  assert.deepEqual([thinned(labels.slice(0, 1), 9).length, thinned([], 9).length], [1, 0]);
});

test("a small movement at the border of two edges keeps the one selected", () => {
  const { legal } = boxes.positions[0];
  const [right, down] = [0, 6];
  assert.equal(small.actionAt(0.32, 0.28, legal, "touch"), right);
  assert.equal(small.actionAt(0.28, 0.32, legal, "touch"), down);
  assert.equal(small.actionAt(0.28, 0.32, legal, "touch", right), right);
  assert.equal(small.actionAt(0.1, 0.32, legal, "touch", right), down);
});

test("a finger on a drawn edge selects a free one near it, a mouse does not", () => {
  const { legal } = boxesAfter([[0, 0]]);
  assert.equal(small.actionAt(0.25, 0.03, legal, "touch"), 6);
  assert.equal(small.actionAt(0.25, 0.03, legal, "mouse"), null);
  assert.equal(small.actionAt(0.5, 0.03, legal, "touch"), null);
});

test("a mouse right at a dot selects nothing", () => {
  const { legal } = boxes.positions[0];
  assert.equal(small.actionAt(1.02, 1.03, legal, "mouse"), null);
  assert.equal(small.actionAt(1.5, 1.03, legal, "mouse"), 3);
});

test("the middle of a box selects nothing, so that no edge is drawn by accident", () => {
  const { legal } = boxes.positions[0];
  for (const [x, y] of [[0.5, 0.5], [0.5, 0.56], [0.4, 0.5], [0.5, 0.61]])
    for (const kind of ["mouse", "touch"]) assert.equal(small.actionAt(x, y, legal, kind), null, `${x} ${y} ${kind}`);
  assert.equal(small.actionAt(0.5, 0.3, legal, "mouse"), 0);
});

test("up and down go straight on through the rows", () => {
  const { geometry, positions } = samples["dots-and-boxes 5x5"];
  const places = new BoardPlaces(geometry);
  const columns = [];
  let action = 2;
  for (let row = 0; row < 11; row += 1) {
    columns.push(places.middles.get(action));
    action = places.step(positions[0].legal, action, 0, 1);
  }
  assert.deepEqual(columns.map(([, y]) => y), [0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]);
  assert.ok(columns.every(([x]) => Math.floor(x) === 2));
});

test("a box has the name of its square in the lattice", () => {
  assert.deepEqual([0, 1, 2, 3].map((cell) => cellName(small, cell)), ["b4", "d4", "b2", "d2"]);
});

test("an edge is described by what it does to the boxes beside it", () => {
  const position = boxesAfter([[0, 0], [1, 6], [0, 2]]);
  assert.equal(describeAction(small, position, seats, 7), "c4, free edge, completes box b4, first edge of box d4");
  assert.equal(describeAction(small, position, seats, 6), "a4, drawn by Bo");
});

test("a captured box is told with the score", () => {
  const told = { action: 7, player: "Ann", before: "....", after: "0...", scores: [1, 0] };
  assert.equal(moveSentence(boxes.geometry, told), "Ann drew c4 and captured box b4. Score 1 to 0.");
  assert.equal(
    moveSentence(boxes.geometry, { ...told, after: "00..", scores: [2, 0] }),
    "Ann drew c4 and captured boxes b4 and d4. Score 2 to 0.",
  );
});

test("typed commands answer in words", () => {
  const position = { ...boxesAfter([[0, 0], [1, 6], [0, 2]]), scores: [3, 1] };
  const situation = { position, names: ["Ann", "Bo"], clocks: ["1:02", "0:45"], status: "Bo to move." };
  const says = (line) => answerCommand(boxes.geometry, line, situation).text;
  assert.equal(says("score"), "Ann 3 boxes, Bo 1 box.");
  assert.equal(says(" Clock "), "Ann 1:02, Bo 0:45.");
  assert.equal(says("last"), "Ann drew b3.");
  assert.equal(says("turn"), "Bo to move.");
  assert.equal(says("board"), "3 of 12 edges drawn. Ann has no box. Bo has no box. One edge completes box b4.");
  assert.equal(says("legal"), "9 moves: d5, d3, b1, d1, c4, e4, a2, c2, e2.");
  assert.equal(says("b4?"), "Box b4 has 3 edges; c4 is free.");
  assert.equal(says("what c4"), "c4, free edge, completes box b4, first edge of box d4.");
  assert.equal(says("b5"), "b5 cannot be played: type legal for the moves that can.");
  assert.match(says("help"), /score: the score; clock: the clocks/);
  assert.equal(says("dance"), 'There is no move or command "dance". Type help for a list.');
  assert.deepEqual(answerCommand(boxes.geometry, "Draw C4", situation), { action: 7 });
  const over = { ...situation, position: { ...position, legal: "0".repeat(12) }, status: "Ann won." };
  assert.equal(answerCommand(boxes.geometry, "c4", over).text, "No move can be played now. Ann won.");
});

test("verbs and numbers fit the game", () => {
  assert.equal(verbOf(boxes.geometry), "Draw");
  assert.equal(verbOf(samples["connect-four 6x7x4"].geometry), "Play");
  assert.deepEqual([count(1, "boxes"), count(2, "boxes"), count(1, "moves")], ["1 box", "2 boxes", "1 move"]);
});

test("captures run along the chain in the order of the moves", () => {
  const { geometry } = samples["dots-and-boxes 5x5"];
  const places = new BoardPlaces(geometry);
  // The right edges of the boxes 3, 2, 1 of the first row, drawn from right to left.
  const moves = [geometry.cells[3], geometry.cells[2], geometry.cells[1]].map((cell) =>
    cell.segments.find((action) => places.middles.get(action)[0] === places.cellMiddles[cell.index][0] + 0.5),
  );
  assert.deepEqual(inOrder(places, [1, 2, 3], moves), [3, 2, 1]);
  assert.deepEqual(inOrder(places, [7, 5, 6], []), [7, 6, 5]);
});

test("no capture waits long, however many there are", () => {
  const fills = new Fills();
  const waits = fills.add(60, 1000);
  assert.equal(waits[0], 0);
  assert.ok(waits.every((wait, at) => at === 0 || wait > waits[at - 1]));
  assert.ok(waits.at(-1) + FILL_MS <= 600.001);
  const [later] = fills.add(1, 1100);
  assert.ok(1100 + later >= 1000 + waits.at(-1) && later <= LAG_MS);
});

test("a pending move is drawn lighter until it is confirmed", () => {
  const start = boxesAfter([]);
  assert.equal(pictureOf(small, start, signs, 4, 1).edges.get(4), "drawn seat1 pending");
  assert.equal(pictureOf(small, boxesAfter([[1, 4]]), signs, 4, 1).edges.get(4), "drawn seat1");
});

test("only positions that continue the one before are animated", () => {
  assert.ok(continues(boxesAfter([[0, 1]]), boxesAfter([[0, 1], [1, 2]])));
  assert.ok(!continues(boxesAfter([[0, 1], [1, 2]]), boxesAfter([[0, 1]])));
  assert.ok(!continues(boxesAfter([[0, 1]]), boxesAfter([[0, 3], [1, 2]])));
});

test("a loop is a closed path, and long and short chains have looks of their own", () => {
  const loop = featurePath(small, { kind: "loop", label: "loop of 4", cells: [0, 1, 3, 2], actions: [7, 3, 10, 2] });
  assert.equal(loop.strokes.length, 1);
  assert.deepEqual(loop.strokes[0][0], loop.strokes[0].at(-1));
  const chain = (label) => ({ kind: "chain", label, cells: [0], actions: [0, 7] });
  assert.deepEqual(legendOf([chain("long chain of 3"), chain("chain of 1")]), [
    ["long-chain", "long chain"],
    ["chain", "short chain"],
  ]);
});

test("labels of features say what the server says, and are texts of the page", () => {
  const features = Object.values(samples).flatMap((sample) => sample.features.flat());
  for (const feature of features) assert.equal(labelOf(feature), feature.label);
  const found = new Set(features.map(({ label }) => label.replace(/\d+/g, "N")));
  for (const label of ["chain of N", "long chain of N", "N to take", "N to take, the last N can be declined"])
    assert.ok(found.has(label), label);
  assert.equal(labelOf({ kind: "loop", label: "loop of 4", cells: [0, 1, 3, 2], actions: [] }), "loop of 4");
  const two = { kind: "capturable", label: "the last 2 can be declined", cells: [0, 1], actions: [] };
  assert.equal(labelOf(two), "2 to take");
  assert.equal(labelOf({ ...two, declinable: 1 }), "2 to take, the last 1 can be declined");
  assert.equal(labelOf({ kind: "net", label: "a net of 2", cells: [0, 1], actions: [] }), "a net of 2");
});
