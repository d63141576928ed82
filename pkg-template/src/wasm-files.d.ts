/** The import of a binary by bundlers for edge runtimes. */
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
  /** The bytes of the binary. */
  const unpack: () => Promise<Uint8Array>;
  export default unpack;
}
