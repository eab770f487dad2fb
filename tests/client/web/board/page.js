// Mount boards for tests. The test calls `show` with properties, and reads `played` and `said`.

import { render } from "preact";
import { html } from "/web/html.js";
import { Board } from "/web/board/board.js";

const main = document.getElementById("main");
const seats = [{ name: "Ann", initial: "A" }, { name: "Bo", initial: "B" }];
const answer = await fetch("/samples.json");
const test = (window.test = {
  samples: await answer.json(),
  played: [],
  said: [],
  props: {},
  /** Show sample `name` after `ply` moves, with more properties. */
  show(name, ply, more = {}) {
    const { geometry, positions, features } = test.samples[name];
    const shown = { ...more };
    if (more.features === true) shown.features = features.at(ply);
    test.props = { geometry, position: positions.at(ply), seats, seat: null, label: geometry.title, ...shown };
    test.draw();
  },
  set(more) {
    test.props = { ...test.props, ...more };
    test.draw();
  },
  draw() {
    const onPlay = (action) => {
      test.played.push(action);
      test.onPlay?.(action);
    };
    const say = (text) => test.said.push(text);
    render(html`<h1 class="visually-hidden">Board</h1><${Board} onPlay=${onPlay} say=${say} ...${test.props} />`, main);
  },
  /** Forget what earlier tests have done. */
  reset() {
    render(null, main);
    main.className = "";
    document.body.removeAttribute("style");
    scrollTo(0, 0);
    Object.assign(test, { played: [], said: [], props: {}, onPlay: null });
  },
  wall(names) {
    main.className = "wall";
    const boards = names.map(([name, ply]) => {
      const { geometry, positions } = test.samples[name];
      return html`<${Board} mode="still" geometry=${geometry} position=${positions.at(ply)} seats=${seats} label=${geometry.title} />`;
    });
    render(html`<h1 class="visually-hidden">Wall</h1>${boards}`, main);
  },
  /** The place of an action on the screen. */
  at(action) {
    const { geometry } = test.props;
    const middle = (list) => [0, 1].map((axis) => list.reduce((sum, i) => sum + geometry.points[i][axis], 0) / list.length);
    const segment = geometry.segments.find((each) => each.action === action);
    const region = geometry.regions.find((each) => each.action === action);
    return test.pixel(middle(segment ? [segment.start, segment.end] : region.corners));
  },
  pixel([x, y]) {
    const svg = document.querySelector(".board-svg");
    const point = new DOMPoint(x * 100, y * 100).matrixTransform(svg.getScreenCTM());
    return [point.x, point.y];
  },
});
const dark = matchMedia("(prefers-color-scheme: dark)");
dark.onchange = () => (document.documentElement.dataset.theme = dark.matches ? "dark" : "light");
document.body.dataset.ready = "yes";
