/** What the bundlers of edge runtimes make of a binary. */
declare module "*.wasm" {
  const module: WebAssembly.Module;
  export default module;
}

declare module "*.wasm?module" {
  const module: WebAssembly.Module;
  export default module;
}

/** Written by the build: a binary, compressed with gzip, as base64 text. */
declare module "*-wasm-base64.js" {
  const base64: string;
  export default base64;
}
