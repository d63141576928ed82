/** Takes `openevals-statistics.wasm` from the deployed script: Cloudflare Workers compile nothing at run time. */

import { statistics } from "../../engine/sources.js";
import module from "./openevals-statistics.wasm";

export const attach = () => statistics.useByDefault(() => module);
