// Check the delays between attempts, and the pace of requests.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  CAP_S,
  FIRST_S,
  RequestPacer,
  reconnectDelay,
  retryDelay,
} from "../../../../client/web/core/pacing.js";

const near = (found, wanted) => assert.ok(Math.abs(found - wanted) < 1e-9, `${found} ${wanted}`);
const most = () => 1;
const least = () => 0;

test("delays of reconnecting double up to a bound", () => {
  [0.2, 0.4, 0.8, 1.6, 3.2, 4, 4].forEach((s, n) => near(reconnectDelay(n, most), s));
  assert.equal(reconnectDelay(10_000, most), CAP_S);
  assert.equal(reconnectDelay(0, most), FIRST_S);
  assert.equal(reconnectDelay(5, least), 0);
});

test("delays of retries double up to a bound", () => {
  [0.25, 0.45, 0.85, 1.65, 3.25, 5.05, 5.05].forEach((s, n) => near(retryDelay(n + 1, most), s));
  near(retryDelay(10_000, most), 5.05);
  near(retryDelay(3, least), 0.05);
});

test("one second of messages is sent at once and the rest at the rate", () => {
  const pacer = new RequestPacer(4, 100);
  for (let n = 0; n < 4; n++) {
    assert.equal(pacer.delay(100), 0);
    pacer.spend(100);
  }
  near(pacer.delay(100), 0.25);
  near(pacer.delay(100.125), 0.125);
  assert.equal(pacer.delay(100.25), 0);
  pacer.spend(100.25);
  near(pacer.delay(100.25), 0.25);
});

test("an idle connection saves at most one second of messages", () => {
  const pacer = new RequestPacer(2, 0);
  for (let n = 0; n < 2; n++) {
    assert.equal(pacer.delay(1000), 0);
    pacer.spend(1000);
  }
  near(pacer.delay(1000), 0.5);
});

test("a slow rate lets one message go, and no rate is no limit", () => {
  const slow = new RequestPacer(0.5, 0);
  assert.equal(slow.delay(0), 0);
  slow.spend(0);
  near(slow.delay(0), 2);
  const free = new RequestPacer(0, 0);
  for (let n = 0; n < 100; n++) {
    assert.equal(free.delay(0), 0);
    free.spend(0);
  }
});
