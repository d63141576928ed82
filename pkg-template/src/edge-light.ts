/** The entry for Vercel's Edge runtime, where `?module` asks the bundler for the compiled module. */

import { useModule } from "./engine.js";
import module from "./openevals.wasm?module";

useModule(() => module);

export * from "./api.js";
