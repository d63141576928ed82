/** `openevals-judges.wasm` where few calls need it: what finds it is loaded with the first that does. */

import { judges } from "../../engine/sources.js";
import { onUse } from "../../platform/on-use.js";
import { findFile } from "./read.js";

export const attach = () =>
  judges.useByDefault(async () =>
    (await onUse("The engine of judges", () => import("./find-judges.js"))).find(findFile),
  );
