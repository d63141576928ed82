/**
 * Where the binary and its embedded copy stand, seen from an ES module. The CommonJS build takes
 * `location-cjs.ts` in its place.
 */

export const moduleUrl = (): URL => new URL("./openevals.wasm", import.meta.url);

export const embeddedModule = () => import("./openevals-wasm-base64.js");
