// Apply the steps of a recorded session to the page's client.

import { readMessage } from "../../client/web/core/messages.js";
import { RequestQueue } from "../../client/web/core/requests.js";
import { Session } from "../../client/web/core/session.js";
import { answered, dump, shownUpdate } from "./session-dump.mjs";

/** The random numbers of both clients, again and again. */
const DRAWS = [0.25, 0.5, 0.75];

export class Replay {
  constructor() {
    let count = 0;
    this.session = new Session();
    this.queue = new RequestQueue(this.session, () => DRAWS[count++ % DRAWS.length]);
  }

  /** Apply one step and return what it did, with a dump of the client after it. */
  step(step) {
    const { now } = step;
    const did = {};
    let updates = [];
    switch (step.do) {
      case "welcome":
        updates = this.session.receive(readMessage(JSON.stringify(step.message)).message, now);
        this.queue.begin();
        break;
      case "lost":
        this.queue.end();
        break;
      case "receive":
        updates = this.#receive(step.frame, now);
        break;
      case "request":
        did.id = this.queue.add(step.request).id;
        break;
      case "ping":
        this.queue.ping();
        break;
      case "send":
        did.sent = this.#due(now);
        break;
      case "look":
        break;
      default:
        throw new Error(`There is no step ${step.do}.`);
    }
    if (updates.length > 0) did.updates = updates.map(shownUpdate);
    const answers = this.queue.takeAnswers();
    const derived = step.do === "send";
    if (answers.length > 0) did.answers = answers.map(([id, a]) => [id, answered(a, derived)]);
    did.dump = dump(this.session, this.queue, now);
    return JSON.parse(JSON.stringify(did));
  }

  #due(now) {
    const found = [];
    for (let r = this.queue.nextToSend(now); r; r = this.queue.nextToSend(now)) found.push(r);
    return found;
  }

  #receive(frame, now) {
    const read = readMessage(typeof frame === "string" ? frame : JSON.stringify(frame));
    if (read === null) return [];
    if ("message" in read) return this.queue.receive(read.message, now);
    return this.queue.receiveUnreadable(read.unreadable, now);
  }
}
