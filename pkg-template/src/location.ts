/** Where the binary and its embedded copy stand, seen from an ES module. The CommonJS build has its own version. */

export const moduleUrl = (): URL => new URL("./openevals.wasm", import.meta.url);

export const embeddedModule = () => import("./openevals-wasm-base64.js");
