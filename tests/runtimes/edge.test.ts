/** Cloudflare Workers (workerd) and the Edge runtime: both forbid compiling, so they get a module compiled before. */
import { cp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Miniflare } from "miniflare";
import { describe, expect, it } from "vitest";
import { REGION } from "../providers/servers/bedrock.js";
import type { Recorded } from "../providers/servers/loopback.js";
import { signatureProblem } from "../providers/servers/sigv4.js";
import { answerOfWorker, edgeWith } from "./edge-hosts.js";
import { expected, expectedOfSubpaths } from "./expected.js";
import { tool } from "./harness.js";
import { installFixture } from "./install.js";

describe("workerd", () => {
  it.each([
    ["worker.js", expected, ["openevals-judges.wasm", "openevals.wasm"]],
    [
      "subpaths-worker.js",
      expectedOfSubpaths,
      ["openevals-judges.wasm", "openevals-metrics.wasm", "openevals-statistics.wasm", "openevals.wasm"],
    ],
  ])("%s scores when bundled as wrangler does it", async (file, wanted, binaries) => {
    const folder = installFixture("bundled", `workerd-${file}`);
    // Who does not use the metrics does not deploy them.
    expect(await answerOfWorker(folder, file)).toEqual({ answer: wanted, binaries });
  });

  it("takes the deployed binary, whichever entry point comes first", async () => {
    const folder = installFixture("bundled", "workerd-first-entry");
    const { answer } = await answerOfWorker(folder, "first-entry-worker.js", {
      compatibilityFlags: ["nodejs_compat"],
    });
    expect(answer).toEqual({ imported: ["function", "function", "object"], scores: expected });
  });

  it("signs requests for Amazon Bedrock with the signer that is bundled", async () => {
    const folder = installFixture("bundled", "workerd-signing");
    await cp(tool("aws4fetch"), join(folder, "node_modules/aws4fetch"), { recursive: true });
    const { answer } = await answerOfWorker(folder, "signing-worker.js");
    const { score, url, headers, text } = answer as Record<string, never>;
    const { host, pathname: path } = new URL(url);
    const request = { method: "POST", path, headers: { ...(headers as object), host }, text } as Recorded;
    const credentials = { accessKeyId: "AKIA4F1C0FFEE", secretAccessKey: "c2VjcmV0", sessionToken: "t0ken" };
    expect({ score, problem: signatureProblem(request, credentials, REGION) }).toEqual({ score: true });
  });

  it("runs the package's own files, unbundled", async () => {
    const folder = installFixture("bundled", "workerd-unbundled");
    const { exports } = JSON.parse(
      await readFile(join(folder, "node_modules/openevals-wasm/package.json"), "utf8"),
    );
    const entry = `./node_modules/openevals-wasm/${fileOf(exports["."].workerd)}`;
    // workerd knows no bare specifiers: the one import of the package becomes a path.
    const importing = join(folder, "named-imports.mjs");
    const source = await readFile(importing, "utf8");
    await writeFile(importing, source.replace('"openevals-wasm"', JSON.stringify(entry)));

    const worker = new Miniflare({
      modulesRoot: folder,
      scriptPath: join(folder, "worker.js"),
      modules: true,
      modulesRules: [
        { type: "ESModule", include: ["**/*.js", "**/*.mjs"] },
        { type: "CompiledWasm", include: ["**/*.wasm"] },
      ],
      compatibilityDate: "2025-01-01",
    });
    try {
      const response = await worker.dispatchFetch("http://localhost/");
      expect(await response.json()).toEqual(expected);
    } finally {
      await worker.dispose();
    }
  });
});

describe("Edge runtime", () => {
  it.each([
    ["main.js", expected, ["openevals-judges.wasm", "openevals.wasm"]],
    [
      "subpaths.js",
      expectedOfSubpaths,
      ["openevals-judges.wasm", "openevals-metrics.wasm", "openevals-statistics.wasm", "openevals.wasm"],
    ],
  ])("%s scores with the modules that the host compiled, where compiling is forbidden", async (file, wanted, binaries) => {
    const folder = installFixture("bundled", `edge-${file}`);
    const { vm, modules } = await edgeWith(folder, file);
    expect(modules).toEqual(binaries);
    expect(JSON.parse(await vm.evaluate("score().then(JSON.stringify)"))).toEqual(wanted);

    const emptyModule = "new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])";
    await expect(vm.evaluate(`WebAssembly.compile(${emptyModule})`)).rejects.toThrow("disallowed");
  });
});

/** The file behind a condition of `exports`, which is a path or one more level of conditions. */
function fileOf(condition: string | { default: string }): string {
  return (typeof condition === "string" ? condition : condition.default).replace("./", "");
}
