/** One experiment of `any-size.mjs`: `node any-size-run.mjs <rows> <none|file>`. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { anySize } from "./cases/any-size.mjs";

const [rows, sink] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "any-size-"));
try {
  const call = await anySize(Number(rows), folder, sink === "file");
  const before = process.cpuUsage();
  const started = performance.now();
  await call();
  const wall = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  const perRow = (us) => us / Number(rows);
  const peak = process.resourceUsage().maxRSS * 1024;
  console.log(JSON.stringify({ wall: perRow(wall * 1000), cpu: perRow(user + system), peak }));
} finally {
  rmSync(folder, { recursive: true });
}
