// A websocket whose other end is a test.

/** Return a class of sockets; `sockets` has those that were opened, the latest last. */
export function fakeSockets() {
  const sockets = [];
  class FakeSocket {
    constructor(url, protocols) {
      Object.assign(this, { url, protocols, sent: [], closed: false });
      sockets.push(this);
    }

    send(text) {
      if (!this.opened) throw new Error("The socket is not open.");
      if (!this.closed) this.sent.push(JSON.parse(text));
    }

    close() {
      this.closed = true;
    }

    // -- the other end ---------------------------------------------------------------------------

    /** Accept the connection. */
    open() {
      this.opened = true;
      this.onopen?.({});
    }

    /** Return what the page sent since the last call. */
    take() {
      return this.sent.splice(0);
    }

    /** Send a message, or text, to the page. */
    tell(message) {
      this.onmessage?.({ data: typeof message === "string" ? message : JSON.stringify(message) });
    }

    /** Close the connection; without a code it breaks. */
    end(code = 1006, reason = "") {
      this.closed = true;
      this.onclose?.({ code, reason });
    }
  }
  return { FakeSocket, sockets };
}
