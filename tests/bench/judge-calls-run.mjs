/** One round of `judge-calls.mjs`: `node judge-calls-run.mjs <fetch|judge> <calls> <ms>`. */
import { fetching, judgeServer, judging } from "./cases/judge-calls.mjs";

const [side, count, latencyMs] = process.argv.slice(2);
const calls = Number(count);
const call = await (side === "fetch" ? fetching : judging)(await judgeServer(Number(latencyMs)), calls);
const before = process.cpuUsage();
const started = performance.now();
await call();
const wall = performance.now() - started;
const { user, system } = process.cpuUsage(before);
const peak = process.resourceUsage().maxRSS * 1024;
console.log(JSON.stringify({ wall: (wall * 1000) / calls, cpu: (user + system) / calls, peak }));
