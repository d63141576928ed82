/** What is measured: our tarball as tests/node_modules has it, the reference from tests/parity, and a fast rival. */
process.env.LANGSMITH_TRACING = "false";
process.env.LANGCHAIN_TRACING_V2 = "false";

export const ours = await import("openevals-wasm");
export const reference = await import("../parity/node_modules/openevals/index.js");
export const { distance } = await import("fastest-levenshtein");
