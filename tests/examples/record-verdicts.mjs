/**
 * Writes the committed cache of the example `vitest` anew: runs its tests (in the copy that the tests have
 * made) with scripted answers instead of OpenAI.
 */
import { spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const VERDICTS = {
  "Can I send back": [true, "It says that anything can be returned within 30 days, which is so."],
  "How long does delivery": [true, "Within three working days is what is true."],
  "Do you take credit cards?": [true, "It names cards, and invoices too."],
  "Do you sell gift cards?": [
    false,
    "It speaks of paying by card, which was not asked, as if gift cards were sold.",
  ],
};

if (process.env.RECORDING) {
  globalThis.fetch = async (_, { body }) => {
    const text = JSON.parse(body).messages.at(-1).content;
    const [, [score, reasoning]] = Object.entries(VERDICTS).find(([question]) => text.includes(question));
    const message = { role: "assistant", content: JSON.stringify({ reasoning, score }) };
    const usage = {
      prompt_tokens: Math.round(text.length / 4),
      completion_tokens: Math.round(reasoning.length / 4),
    };
    return Response.json({
      model: "gpt-5.4-mini",
      choices: [{ index: 0, message, finish_reason: "stop" }],
      usage,
    });
  };
} else {
  const here = fileURLToPath(import.meta.url);
  const folder = join(here, "../../../target/examples/vitest");
  const cache = join(folder, "evals/cache");
  const committed = join(here, "../../../www/examples/vitest/evals/cache");
  rmSync(cache, { recursive: true, force: true });
  const { CI, ...environment } = process.env;
  const env = { ...environment, RECORDING: "1", NODE_OPTIONS: `--import=${here}`, OPENAI_API_KEY: "none" };
  const { status } = spawnSync("npm", ["test"], { cwd: folder, env, stdio: "inherit" });
  rmSync(committed, { recursive: true, force: true });
  cpSync(cache, committed, { recursive: true });
  process.exitCode = status;
}
