/** What runtimes and bundlers that import WebAssembly make of a binary: `init()` of `openevals-wasm/slim` takes it. */
declare const module: typeof globalThis extends { WebAssembly: { Module: { prototype: infer Module } } }
  ? Module
  : object;
export default module;
