/** `openevals-judges.wasm` as part of the bundle, for bundles of a single script. */

import { judges } from "../../engine/sources.js";
import unpack from "./openevals-judges-wasm-base64.js";

export const attach = () => judges.useByDefault(unpack);
