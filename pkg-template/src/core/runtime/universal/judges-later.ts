/** Finds `openevals-judges.wasm` for entry points where few calls need it. The code for that is loaded on use. */

import { judges } from "../../engine/sources.js";
import { onUse } from "../../platform/on-use.js";
import { findFile } from "./read.js";

export const attach = () =>
  judges.useByDefault(async () =>
    (await onUse("The engine of judges", () => import("./find-judges.js"))).find(findFile),
  );
