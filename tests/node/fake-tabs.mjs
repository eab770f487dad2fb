// The browser's part in what tabs share: locks, and channels between them.

/** Locks as in `navigator.locks`, for one name. */
export class FakeLocks {
  #queue = [];

  request(name, { signal, steal = false }, run) {
    return new Promise((resolve, reject) => {
      const entry = { run, resolve, fail: () => reject(new DOMException("", "AbortError")), held: false };
      signal?.addEventListener("abort", () => {
        if (!entry.held) this.#remove(entry).fail();
      });
      if (steal && this.#queue[0]?.held) this.#queue.shift().fail();
      if (steal) this.#queue.unshift(entry);
      else this.#queue.push(entry);
      void this.#later();
    });
  }

  async #later() {
    // A message to another tab is quicker than a lock.
    for (let turn = 0; turn < 9; turn++) await null;
    await this.#next();
  }

  async #next() {
    const [first] = this.#queue;
    if (first === undefined || first.held) return;
    first.held = true;
    await first.run();
    this.#remove(first).resolve();
    this.#next();
  }

  #remove(entry) {
    this.#queue = this.#queue.filter((each) => each !== entry);
    return entry;
  }
}

/** Return a class of channels which all hear each other; `cut` lets one hear nothing any more. */
export function fakeChannels() {
  const channels = new Set();
  return class FakeChannel {
    onmessage = null;

    constructor() {
      channels.add(this);
    }

    postMessage(data) {
      for (const each of channels) {
        if (each !== this) queueMicrotask(() => channels.has(each) && each.onmessage?.({ data }));
      }
    }

    cut() {
      channels.delete(this);
    }
  };
}
