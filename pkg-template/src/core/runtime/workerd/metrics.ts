/** Takes `openevals-metrics.wasm` from the deployed script: Cloudflare Workers compile nothing at run time. */

import { metrics } from "../../engine/sources.js";
import module from "./openevals-metrics.wasm";

export const attach = () => metrics.useByDefault(() => module);
