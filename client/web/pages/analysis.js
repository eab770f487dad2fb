// The analysis board at /analysis and /analysis/POSITION: play both sides, try branches, and see what each move is worth.

import { useEffect, useState } from "preact/hooks";

import { html } from "../html.js";
import { readBranches, readPlace } from "../models/analysis/address.js";
import { decoded } from "../models/addresses.js";
import { defaultSize, paramsOfSize } from "../models/lobby/sizes.js";
import { ApiError } from "../net/api.js";
import { tr } from "../texts.js";
import { Shown, useLoaded } from "./common/load.js";
import { useTitle } from "./common/parts.js";
import { Workbench } from "./analysis/workbench.js";

/** @import { CatalogueGame, GameGeometry } from "../types/api.js" */
/** @typedef {import("../models/analysis/address.js").Place} Place */
/**
 * What the board begins with. `number` differs from that before.
 * @typedef {Place & {params: Record<string, number>, geometry: GameGeometry, games: CatalogueGame[],
 *   branches: ReturnType<typeof readBranches>, number: number}} Start
 */

let starts = 0;

/** @param {import("../app/routes.js").PageProps} props */
export function AnalysisPage({ app }) {
  const { path } = app.route.value;
  const [chosen, choose] = useState(/** @type {Place | null} */ (null));
  const [count, setCount] = useState(0);
  // The moves change the address without loading the page, so the way back leads to another place of this page.
  useEffect(() => {
    const follow = () => setCount((old) => old + 1);
    window.addEventListener("popstate", follow);
    return () => window.removeEventListener("popstate", follow);
  }, []);
  useEffect(() => choose(null), [path, count]);
  const loaded = useLoaded(async () => {
    const { games } = await app.catalogue();
    const [usual] = games;
    // The route has the address with which the page was opened.
    const named = decoded(location.pathname.split("/analysis/")[1] ?? "");
    const place = chosen ?? readPlace(named);
    const found = place ?? { game: usual.key, size: defaultSize(usual), opening: [], moves: [] };
    const sizes = paramsOfSize(games, found.game, found.size);
    if (sizes === null || (named && place === null)) throw new ApiError(0, tr("This address names no position."));
    const geometry = await app.geometry(found.game, sizes);
    const branches = chosen ? readBranches("") : readBranches(location.hash);
    return { ...found, size: geometry.size, params: sizes, geometry, games, branches, number: (starts += 1) };
  }, JSON.stringify([path, count, chosen]));
  useTitle(app, tr("Analysis board"));
  return html`<div class="page study-page">
    <${Shown} app=${app} loaded=${loaded} what=${tr("the board")}>
      ${(/** @type {Start} */ start) =>
        html`<${Workbench} key=${start.number} app=${app} start=${start} choose=${choose} />`}
    <//>
  </div>`;
}
