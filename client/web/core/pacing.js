// How long to wait between attempts to connect and between requests.

/** The longest delay before the first attempt to reconnect, in seconds. */
export const FIRST_S = 0.2;
/** The longest delay before any attempt, in seconds; players return soon after a restart. */
export const CAP_S = 4;

/**
 * Return the delay in seconds before attempt number `attempt` (0 is the first).
 *
 * The delay grows exponentially, with full jitter, so that the many clients of one server do not
 * reconnect at the same moment.
 *
 * Source: M. Brooker, Exponential Backoff And Jitter, AWS Architecture Blog, 2015.
 * @param {number} attempt
 * @param {() => number} random returns a number from 0 to below 1
 */
export function reconnectDelay(attempt, random) {
  return random() * Math.min(CAP_S, FIRST_S * 2 ** attempt);
}

/**
 * Return the delay in seconds, at least 0.05, before a refused request is sent again.
 * @param {number} tries
 * @param {() => number} random
 */
export function retryDelay(tries, random) {
  return 0.05 + random() * Math.min(5, 0.1 * 2 ** tries);
}

/**
 * Keeps the client within the server's rate limit, with a token bucket.
 *
 * A server refuses messages beyond its limit, and disconnects a client that goes on. A burst may
 * have as many messages as one second allows.
 */
export class RequestPacer {
  #rate;
  #burst;
  #tokens;
  #at;

  /**
   * @param {number} rate in messages a second, 0 for no limit
   * @param {number} now in seconds
   */
  constructor(rate, now) {
    this.#rate = rate;
    // Even a rate below one a second must let one message go.
    this.#burst = this.#tokens = Math.max(1, rate);
    this.#at = now;
  }

  /**
   * Return the seconds to wait before the next message may be sent.
   * @param {number} now
   */
  delay(now) {
    if (this.#rate <= 0) return 0;
    this.#refill(now);
    return Math.max(0, (1 - this.#tokens) / this.#rate);
  }

  /**
   * Count one sent message.
   * @param {number} now
   */
  spend(now) {
    this.#refill(now);
    this.#tokens -= 1;
  }

  /** @param {number} now */
  #refill(now) {
    this.#tokens = Math.min(this.#burst, this.#tokens + (now - this.#at) * this.#rate);
    this.#at = now;
  }
}
