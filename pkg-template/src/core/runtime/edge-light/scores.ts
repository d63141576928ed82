/** Takes `openevals.wasm` from the bundler of Vercel's Edge runtime, which compiles what `?module` asks for. */

import { scores } from "../../engine/sources.js";
import module from "./openevals.wasm?module";

export const attach = () => scores.useByDefault(() => module);
