// Follow the browser's address: links and the back button change the page without loading it anew.

import { signal } from "@preact/signals";

import { inner, outer } from "../address.js";
import { match } from "./routes.js";

/**
 * @typedef {{path: string, search: string, hash: string, name: string,
 *   params: import("./routes.js").Params, route: import("./routes.js").Route}} Place
 */

export class Navigation {
  /** @type {import("@preact/signals").Signal<Place>} */
  place;
  #window;

  /** @param {Window} window */
  constructor(window) {
    this.#window = window;
    this.place = signal(this.#read());
  }

  /** Follow the back button, changed hashes and clicks on links. */
  listen() {
    const window = this.#window;
    window.addEventListener("popstate", () => this.#follow());
    window.addEventListener("hashchange", () => this.#follow());
    window.document.addEventListener("click", (event) => {
      const path = this.#own(event);
      if (path !== null) {
        event.preventDefault();
        this.go(path);
      }
    });
  }

  /**
   * Show another address of the page.
   * @param {string} path - with search and hash
   * @param {{replace?: boolean}} [how]
   */
  go(path, { replace = false } = {}) {
    const { history, location } = this.#window;
    const before = location.pathname;
    const here = location.pathname + location.search + location.hash;
    const to = outer(path);
    if (to !== here) history[replace ? "replaceState" : "pushState"](null, "", to);
    this.#follow();
    if (location.pathname !== before) this.#window.scrollTo(0, 0);
  }

  #follow() {
    const found = this.#read();
    const { path, search, hash } = this.place.peek();
    if (found.path !== path || found.search !== search || found.hash !== hash) {
      this.place.value = found;
    }
  }

  /** @returns {Place} */
  #read() {
    const { pathname, search, hash } = this.#window.location;
    const path = inner(pathname) ?? pathname;
    const { route, params } = match(path);
    return { path, search, hash, name: route.name, params, route };
  }

  /**
   * Return where a click leads, if it leads to one of our pages in this tab; otherwise null.
   * @param {MouseEvent} event
   * @returns {string | null}
   */
  #own(event) {
    const plain = !(event.metaKey || event.ctrlKey || event.shiftKey || event.altKey);
    if (event.defaultPrevented || event.button !== 0 || !plain) return null;
    const link = event.target instanceof Element ? event.target.closest("a[href]") : null;
    if (!(link instanceof HTMLAnchorElement) || link.target !== "" || link.download !== "") {
      return null;
    }
    const to = new URL(link.href);
    const here = this.#window.location;
    const path = to.origin === here.origin ? inner(to.pathname) : null;
    if (path === null || /^\/(api|web|metrics)(\/|$)/.test(path)) return null;
    // The browser itself follows links within the page, such as the one to its content.
    if (link.getAttribute("href")?.startsWith("#")) return null;
    return path + to.search + to.hash;
  }
}
