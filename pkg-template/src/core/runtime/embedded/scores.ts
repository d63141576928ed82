/** `openevals.wasm` as part of the bundle, where that has to be one script. */

import { scores } from "../../engine/sources.js";
import unpack from "./openevals-wasm-base64.js";

export const attach = () => scores.useByDefault(unpack);
