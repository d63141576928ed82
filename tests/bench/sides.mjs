/**
 * The sides of a case as processes. Each is `{ answer, warmUp(), round(calls), end() }`: warming up says how many
 * milliseconds a call takes, and a round is a number.
 */
import { execFile, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { environment as env } from "./packages.mjs";

const CHILD = fileURLToPath(new URL("child.mjs", import.meta.url));

/** Starts a process that stays for all rounds, and waits for its answer. */
export async function startSide({ name, measures }, side) {
  const execArgv = measures === "memory" ? ["--expose-gc"] : [];
  const child = fork(CHILD, [name, side], { env, execArgv, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const ended = once(child, "exit");
  const ask = async (message) => {
    if (message) child.send(message);
    const [reply] = await Promise.race([
      once(child, "message"),
      ended.then(([code, signal]) => [{ error: `it ended (${signal ?? code})` }]),
    ]);
    if (reply.error) throw new Error(`${side}: ${reply.error}`);
    return reply;
  };
  const end = async () => {
    if (child.connected) child.disconnect();
    // One that is busy is not waited for.
    const timer = setTimeout(() => child.kill("SIGKILL"), 2_000);
    await ended;
    clearTimeout(timer);
  };
  try {
    const { answer } = await ask();
    const warmUp = async () => (await ask({ warmUp: true })).perCall;
    return { answer, warmUp, round: async (calls) => (await ask({ calls })).value, end };
  } catch (error) {
    await end();
    throw error;
  }
}

/**
 * A process for each round, which is the subject of the case. Its script has a part `before` the clock
 * starts, and a timed part, which sets `result`. Of a `program` with its arguments, all of its process is
 * timed; a `measuring` program prints what it has measured.
 */
export async function freshSide({ sides, measures }, side) {
  const { folder, type, before, timed, program, measuring } = sides[side];
  const script = `(async () => {
    ${before}
    const start = performance.now();
    ${timed}
    const value = ${measures === "memory" ? "process.memoryUsage.rss()" : "performance.now() - start"};
    console.log(JSON.stringify({ value, answer: Number(result.score ?? result) }));
  })();`;
  const run = async () => {
    if (program) return runProgram(program, folder);
    const args = measuring ?? [`--input-type=${type}`, "--eval", script];
    const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder, env });
    return JSON.parse(stdout);
  };
  // Some take long, so the first run is a round as well.
  let first = await run();
  const round = async () => {
    const { value } = first ?? (await run());
    first = undefined;
    return value;
  };
  return { answer: first.answer, warmUp: async () => first.value, round, end: async () => {} };
}

async function runProgram(args, cwd) {
  const start = performance.now();
  await promisify(execFile)(process.execPath, args, { cwd, env });
  return { value: performance.now() - start, answer: 0 };
}
