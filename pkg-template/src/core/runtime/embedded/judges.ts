/** `openevals-judges.wasm` as part of the bundle, where that has to be one script. */

import { judges } from "../../engine/sources.js";
import unpack from "./openevals-judges-wasm-base64.js";

export const attach = () => judges.useByDefault(unpack);
