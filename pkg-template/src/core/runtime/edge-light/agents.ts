/** Takes `openevals-agents.wasm` from the bundler of Vercel's Edge runtime, which compiles what `?module` asks for. */

import { agents } from "../../engine/sources.js";
import module from "./openevals-agents.wasm?module";

export const attach = () => agents.useByDefault(() => module);
