/** Takes `openevals-agents.wasm` from the deployed script: Cloudflare Workers compile nothing at run time. */

import { agents } from "../../engine/sources.js";
import module from "./openevals-agents.wasm";

export const attach = () => agents.useByDefault(() => module);
