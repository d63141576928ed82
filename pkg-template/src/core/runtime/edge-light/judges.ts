/** Takes `openevals-judges.wasm` from the bundler of Vercel's Edge runtime, which compiles what `?module` asks for. */

import { judges } from "../../engine/sources.js";
import module from "./openevals-judges.wasm?module";

export const attach = () => judges.useByDefault(() => module);
