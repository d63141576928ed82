/** A project for the MCP server, and clients of it. */
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { afterAll, beforeAll, expect } from "vitest";
import { program } from "./program.js";
import { doubling, lines, projectOf } from "./project.js";

export let folder: string;
export let client: Client;
let outside: string;

/** A client with its own server. */
export async function connected(...options: string[]): Promise<Client> {
  const client = new Client({ name: "tests", version: "1.0.0" });
  const { PATH = "", HOME = "" } = process.env;
  const args = [program, "mcp", "--root", folder, ...options];
  await client.connect(new StdioClientTransport({ command: process.execPath, args, env: { PATH, HOME } }));
  return client;
}

/** Calls a tool. The client checks the result against the schema of the tool. */
export async function call(name: string, input: object = {}, from = client): Promise<any> {
  const { content, structuredContent, isError } = await from.callTool({ name, arguments: { ...input } });
  const [{ text }] = content as [{ text: string }];
  if (structuredContent) expect(JSON.parse(text)).toEqual(structuredContent);
  return { ...(structuredContent as object), text, isError: isError ?? false };
}

/** A target that writes its process id into a file, and then never answers. */
const HANGS = `
  import { writeFileSync } from "node:fs";
  export default {
    data: [{ id: "1", inputs: 1 }, { id: "2", inputs: 2 }],
    target: (n) => { writeFileSync("pid", String(process.pid)); return new Promise(() => setInterval(() => {}, 1000)); },
    evaluators: [() => ({ key: "k", score: 1 })],
  };
`;

/** Starts the server before the tests of the file that calls this, and ends it after them. */
export function useServer(): void {
  beforeAll(async () => {
    outside = await mkdtemp(join(tmpdir(), "outside-"));
    await writeFile(
      join(outside, "secret.jsonl"),
      lines([{ id: "s", outputs: "secret", referenceOutputs: "x" }]),
    );
    folder = await projectOf({
      "good.eval.mjs": doubling(12, 'name: "good",'),
      "worse.eval.mjs": doubling(2, 'name: "good", failUnder: { exact_match: 0.5 },'),
      "noisy.eval.mjs": `console.log('{"exitCode":0}');\n${doubling(12)}`,
      "late.eval.mjs": `
        import { writeFileSync } from "node:fs";
        export default {
          data: [{ inputs: 1 }],
          target: () => writeFileSync("out/late.json", "precious"),
          evaluators: [() => ({ key: "k", score: 1 })],
        };
      `,
      "hangs.eval.mjs": HANGS,
      "tokens.eval.mjs": `
        export default {
          data: [1, 2, 3, 4, 5, 6].map((inputs) => ({ inputs })),
          target: (n) => n,
          evaluators: [() => ({ key: "judged", score: 1, metadata: { model: "m", usage: { inputTokens: 100, outputTokens: 0 } } })],
          maxConcurrency: 1,
          budget: { maxTokens: 250 },
        };
      `,
      "slow-matrix.eval.mjs": `
        export default {
          matrix: { n: Array.from({ length: 40 }, (_, n) => n) },
          data: [{ id: "done", inputs: 2 }, { id: "never", inputs: 3 }],
          target: (n) => (n === 2 ? n : new Promise(() => setInterval(() => {}, 1000))),
          evaluators: [() => ({ key: "k", score: 0 })],
        };
      `,
      "slow.eval.mjs": `
        export default {
          data: Array.from({ length: 8 }, (_, n) => ({ inputs: n })),
          target: (n) => new Promise((resolve) => setTimeout(resolve, 150, n)),
          evaluators: [() => ({ key: "k", score: 1 })],
          maxConcurrency: 1,
        };
      `,
      "answers.jsonl": lines([
        { id: "a", inputs: "q", outputs: "x", referenceOutputs: "x" },
        { id: "b", inputs: "q", outputs: "y", referenceOutputs: "x" },
      ]),
      "app.mjs": "export const double = (n) => 2 * n;\n",
      "inner/keep.txt": "",
    });
    await symlink(join(outside, "secret.jsonl"), join(folder, "link.jsonl"));
    await symlink(outside, join(folder, "linked"));
    await symlink(join(outside, "new.json"), join(folder, "dangling.json"));
    client = await connected();
  });
  afterAll(async () => {
    await client.close();
    await rm(outside, { recursive: true, force: true });
  });
}
