// Show the page of the current address; load its module first, and survive its errors.

import { Component } from "preact";
import { useEffect, useState } from "preact/hooks";

import { html } from "../html.js";
import { tr } from "../texts.js";
import { Button, LinkButton } from "../widgets/button.js";
import { Skeleton } from "../widgets/skeleton.js";

/**
 * @typedef {{Page: import("../app/routes.js").Page, route: import("../app/routes.js").Route}} Loaded
 */

/** @param {{app: import("../app/app.js").App}} props */
export function CurrentPage({ app }) {
  const { route, params, path } = app.route.value;
  const [loaded, setLoaded] = useState(/** @type {Loaded | null} */ (null));
  const [failed, setFailed] = useState(/** @type {import("../app/routes.js").Route | null} */ (null));
  useEffect(() => {
    let current = true;
    route.load().then(
      (Page) => {
        if (!current) return;
        setLoaded({ Page, route });
        setFailed(null);
      },
      (error) => {
        console.warn(`The page ${route.name} cannot be loaded:`, error);
        if (current) setFailed(route);
      },
    );
    return () => {
      current = false;
    };
  }, [route]);
  useEffect(() => {
    app.shortcuts.value = [];
    focusMain();
  }, [path]);
  if (failed === route) return html`<${Broken} app=${app} what=${tr("This page could not be loaded.")} />`;
  if (loaded?.route !== route) return html`<${Skeleton} kind=${route.name} />`;
  return html`<${Boundary} key=${path} app=${app}>
    <${loaded.Page} key=${path} app=${app} params=${params} />
  <//>`;
}

let shown = false;

/** Move the focus to the new page, as the browser does after a real navigation. */
function focusMain() {
  // At the first page the browser itself does the right thing.
  if (shown) document.getElementById("main")?.focus({ preventScroll: true });
  shown = true;
}

/** Shows what to do when a component fails. */
class Boundary extends Component {
  constructor(/** @type {any} */ props) {
    super(props);
    this.state = { failed: false };
  }

  /** @param {unknown} error */
  componentDidCatch(error) {
    console.error(error);
    this.setState({ failed: true });
  }

  /** @override */
  render() {
    const { app, children } = /** @type {any} */ (this.props);
    const { failed } = /** @type {any} */ (this.state);
    return failed ? html`<${Broken} app=${app} what=${tr("Something on this page went wrong.")} />` : children;
  }
}

/** @param {{app: import("../app/app.js").App, what: string}} props */
function Broken({ app, what }) {
  useEffect(() => app.setTitle(tr("Problem")), []);
  return html`<div class="page narrow">
    <div class="card stack">
      <h1>${what}</h1>
      <p>${tr("Your games are kept on the server. Load the page again; if that does not help, go to the lobby.")}</p>
      <div class="row">
        <${Button} kind="primary" onPress=${() => location.reload()}>${tr("Reload")}<//>
        <${LinkButton} href="/">${tr("To the lobby")}<//>
      </div>
    </div>
  </div>`;
}
