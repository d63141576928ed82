/** The binary is part of the bundle, where that has to be one script. */

import { unpacked } from "../base64.js";
import base64 from "./openevals-wasm-base64.js";

export const find = () => unpacked(base64);
