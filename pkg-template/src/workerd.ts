/** The entry for Cloudflare Workers, where a module cannot be compiled at run time: it is deployed with the script. */

import { useModule } from "./engine.js";
import module from "./openevals.wasm";

useModule(() => module);

export * from "./api.js";
