/** `openevals.wasm` as part of the bundle, for bundles of a single script. */

import { scores } from "../../engine/sources.js";
import unpack from "./openevals-wasm-base64.js";

export const attach = () => scores.useByDefault(unpack);
