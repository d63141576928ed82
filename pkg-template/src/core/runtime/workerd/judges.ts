/** Takes `openevals-judges.wasm` from the deployed script: Cloudflare Workers compile nothing at run time. */

import { judges } from "../../engine/sources.js";
import module from "./openevals-judges.wasm";

export const attach = () => judges.useByDefault(() => module);
