/** The import of a binary by runtimes and bundlers; pass it to `init()` of `openevals-wasm/slim`. */
declare const module: typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } }
  ? Module
  : object;
export default module;
