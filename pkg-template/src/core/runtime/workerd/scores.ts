/** Takes `openevals.wasm` from the deployed script: Cloudflare Workers compile nothing at run time. */

import { scores } from "../../engine/sources.js";
import module from "./openevals.wasm";

export const attach = () => scores.useByDefault(() => module);
