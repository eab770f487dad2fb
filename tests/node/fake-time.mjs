// Timers that a test advances.

/** Both clocks in seconds; `advance` rings all alarms that are due, in order. */
export class FakeTimers {
  #now = 1000;
  #slept = 0;
  #alarms = new Set();

  now = () => this.#now;

  date = () => this.#now + this.#slept;

  after = (seconds, call) => this.#set(seconds, call, false);

  every = (seconds, call) => this.#set(seconds, call, true);

  /** Let time pass, and ring each alarm at its time. */
  advance(seconds) {
    const until = this.#now + seconds;
    for (;;) {
      const next = [...this.#alarms].sort((a, b) => a.at - b.at)[0];
      if (next === undefined || next.at > until) break;
      this.#now = Math.max(this.#now, next.at);
      if (next.every) next.at += next.seconds;
      else this.#alarms.delete(next);
      next.call();
    }
    this.#now = until;
  }

  /** Let the computer sleep: the date goes on, and no alarm rings. */
  sleep(seconds) {
    this.#slept += seconds;
  }

  get alarms() {
    return this.#alarms.size;
  }

  #set(seconds, call, every) {
    const alarm = { at: this.#now + seconds, seconds, call, every };
    this.#alarms.add(alarm);
    return () => this.#alarms.delete(alarm);
  }
}
