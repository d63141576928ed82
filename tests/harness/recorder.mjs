/** A process that calls a recorded tool: `node recorder.mjs FILE MODE JSON…`. It prints results, and codes of errors. */
import { recordTools } from "openevals-wasm/harness";

const [file, mode, ...calls] = process.argv.slice(2);
const { search } = recordTools(
  { search: async ({ q, size = 0 }) => `${q} of ${process.pid}${"x".repeat(size)}` },
  { file, mode },
);
for (const call of calls) {
  const result = await search(JSON.parse(call)).catch(({ code, message }) => ({ code, message }));
  process.stdout.write(`${JSON.stringify(result)}\n`);
}
