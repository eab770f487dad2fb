// Read the server's answers over HTTP.

import { outer } from "../address.js";
import { told, tr } from "../texts.js";

/**
 * An answer that did not come. `status` is that of HTTP, or 0 when the server cannot be reached.
 * The message is a sentence for people.
 */
export class ApiError extends Error {
  /**
   * @param {number} status
   * @param {string} sentence
   * @param {string} [code] of the protocol's error codes, if the server sent one
   */
  constructor(status, sentence, code = "") {
    super(sentence);
    this.status = status;
    this.code = code;
  }

  /** The sentence for people. */
  get sentence() {
    return this.message;
  }
}

/** How long an answer may take, in seconds. */
const ANSWER_S = 30;

/** @typedef {string | number | boolean | readonly number[] | null | undefined} Param */

/**
 * Return the path with the parameters; those that are null, undefined or empty are left out.
 * @param {string} path
 * @param {Record<string, Param>} params
 */
export function withParams(path, params) {
  const query = Object.entries(params)
    .filter(([, value]) => value !== null && value !== undefined && `${value}` !== "")
    // The commas of lists stay readable, and the same address is cached once.
    .map(([name, value]) => `${name}=${encodeURIComponent(`${value}`).replaceAll("%2C", ",")}`);
  return query.length === 0 ? path : `${path}?${query.join("&")}`;
}

/** The pause after an answer is at least so many times the time that the answer took. */
const PAUSE_SHARE = 10;

/**
 * Return how long to wait before the same question is asked again, every `everyMs` at most. A server that is slow to
 * answer is asked less often. One that did not answer is not: people wait for it to be back.
 * @param {number} everyMs
 * @param {number} tookMs
 * @param {boolean} failed
 */
export function pauseMs(everyMs, tookMs, failed) {
  return failed ? everyMs : Math.max(everyMs, PAUSE_SHARE * tookMs);
}

/**
 * Return the JSON that the server answers. It is asked once: the caller decides about another try.
 *
 * Throws ApiError when the server refuses, cannot be reached or does not answer in time, and the signal's reason when
 * `signal` aborts it.
 * @template T
 * @param {string} path
 * @param {Record<string, Param>} [params]
 * @param {object} [options]
 * @param {string | null} [options.token] shows the server who asks
 * @param {object} [options.body] is posted as JSON
 * @param {AbortSignal} [options.signal]
 * @param {AbortSignal} [options.deadline] ends the wait
 * @param {typeof globalThis.fetch} [options.fetch]
 * @returns {Promise<T>}
 */
export async function getJson(path, params = {}, options = {}) {
  const { token = null, body: sent, signal, fetch = globalThis.fetch } = options;
  const { deadline = AbortSignal.timeout(1000 * ANSWER_S) } = options;
  // AbortSignal.any would do the same, but needs browsers from 2024.
  const either = new AbortController();
  const stop = () => either.abort();
  for (const each of [signal, deadline]) each?.addEventListener("abort", stop);
  if (signal?.aborted || deadline.aborted) stop();
  /** @type {Record<string, string>} */
  const headers = token === null ? {} : { authorization: `Bearer ${token}` };
  /** @type {RequestInit} */
  const how = { headers, signal: either.signal };
  if (sent) {
    headers["content-type"] = "application/json";
    Object.assign(how, { method: "POST", body: JSON.stringify(sent) });
  }
  let answer, body;
  try {
    answer = await fetch(outer(withParams(path, params)), how);
    body = await answer.text();
  } catch {
    signal?.throwIfAborted();
    throw new ApiError(0, tr("The server cannot be reached. Check your connection and try again."));
  } finally {
    for (const each of [signal, deadline]) each?.removeEventListener("abort", stop);
  }
  const value = parsed(body);
  if (answer.ok && value !== undefined) return value;
  throw new ApiError(answer.status, sentenceOf(answer.status, value), value?.code);
}

/**
 * Return the value of a JSON text, or undefined for another text.
 * @param {string} text
 */
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/**
 * @param {number} status
 * @param {any} value
 * @returns {string}
 */
function sentenceOf(status, value) {
  if (typeof value?.error === "string" && value.error !== "") return told(value.error, value.phrase);
  if (status === 429 || status === 503) return tr("The server is busy. Try again in a moment.");
  if (status >= 500) return tr("The server has a problem (HTTP {status}). Try again later.", { status });
  return tr("The server sent an unexpected answer (HTTP {status}). Reload the page.", { status });
}
