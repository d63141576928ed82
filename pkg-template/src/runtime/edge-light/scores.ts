/** Vercel's Edge runtime, where `?module` asks the bundler for the compiled module. */

import module from "./openevals.wasm?module";

export const find = () => module;
