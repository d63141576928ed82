/** A process that calls a recorded tool: `node recorder.mjs FILE MODE JSON…`. */
import { recordTools } from "openevals-wasm/harness";

const [file, mode, ...calls] = process.argv.slice(2);
const { search } = recordTools({ search: async ({ q }) => `${q} of ${process.pid}` }, { file, mode });
for (const call of calls) process.stdout.write(`${JSON.stringify(await search(JSON.parse(call)))}\n`);
