/** `location.ts` as the CommonJS build has it: seen from `dist/cjs/`. */

export const moduleUrl = (): URL =>
  new URL("../openevals.wasm", process.getBuiltinModule("node:url").pathToFileURL(__filename));

export const embeddedModule = () => import("../openevals-wasm-base64.js");

declare const __filename: string;
declare const process: { getBuiltinModule(id: "node:url"): { pathToFileURL(path: string): URL } };
