/** `openevals-judges.wasm` as part of the bundle, where that has to be one script. */

import { judges } from "../../engine/sources.js";
import { unpacked } from "../base64.js";
import base64 from "./openevals-judges-wasm-base64.js";

export const attach = () => judges.useByDefault(() => unpacked(base64));
