// The errors of the page's connection and of its mirrors.
//
//   LinkError              base of what callers of a request get; `sentence` is for people
//   +-- RequestRefused     the server refused one request; has the stable code
//   +-- RequestTimeout     no answer came in time; the server may have carried the request out
//   +-- LinkEnded          the connection is over and does not come back by itself
//   Desync                 a message contradicts a room's mirror
//   +-- Gap                events between the last applied one and the received one are missing

/** Base of the errors that callers of a request get; its message is one sentence for people. */
export class LinkError extends Error {
  /** The sentence for people. */
  get sentence() {
    return this.message;
  }
}

/**
 * The server refused a request and changed nothing. `code` is one of the protocol's error codes, or
 * another one of a newer server. The client itself adds the code `unreadable_answer`.
 */
export class RequestRefused extends LinkError {
  /**
   * @param {string} code
   * @param {string} sentence
   */
  constructor(code, sentence) {
    super(sentence);
    this.code = code;
  }
}

/** No answer came in time. The server may have carried the request out. */
export class RequestTimeout extends LinkError {}

/** The connection is over, and does not come back by itself. */
export class LinkEnded extends LinkError {}

/** A message contradicts the mirror of a room. */
export class Desync extends Error {}

/** Events between the last applied one and the received one are missing. */
export class Gap extends Desync {}
