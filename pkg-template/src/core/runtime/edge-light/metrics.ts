/** Takes `openevals-metrics.wasm` from the bundler of Vercel's Edge runtime, which compiles what `?module` asks for. */

import { metrics } from "../../engine/sources.js";
import module from "./openevals-metrics.wasm?module";

export const attach = () => metrics.useByDefault(() => module);
