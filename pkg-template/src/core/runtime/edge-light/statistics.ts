/** Takes `openevals-statistics.wasm` from the bundler of Vercel's Edge runtime, which compiles what `?module` asks for. */

import { statistics } from "../../engine/sources.js";
import module from "./openevals-statistics.wasm?module";

export const attach = () => statistics.useByDefault(() => module);
