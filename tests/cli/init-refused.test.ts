/** `init` replaces nothing: projects that it rejects, and runs after an interruption. */
import { execFile } from "node:child_process";
import { chmod, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { init, installed, LISTED, PROJECT, putPackage, textsIn } from "./installed.js";
import { manifest, program, runProgram } from "./program.js";
import { projectOf } from "./project.js";

describe("refuses, and changes nothing", () => {
  const script = `{ "scripts": { "evals": "jest evals" }, ${LISTED} }`;
  it.each<[string, Record<string, string>, string]>([
    [
      "files that exist",
      { ...PROJECT, "evals/first.eval.mjs": "mine", "evals/first.jsonl": "" },
      "evals/first.eval.mjs, evals/first.jsonl exist already. Move or rename them, then run npx openevals-wasm init again. Nothing was changed.",
    ],
    [
      "a workflow that exists",
      { ...PROJECT, ".github/workflows/evals.yml": "on: push" },
      ".github/workflows/evals.yml exists already. Move or rename it, then run npx openevals-wasm init again. Nothing was changed.",
    ],
    [
      "a script that exists",
      { "package.json": script },
      'package.json has a script "evals" already: "jest evals". Rename it, then run npx openevals-wasm init again. Nothing was changed.',
    ],
    [
      "a broken package.json",
      { "package.json": '{ "name": "x", }' },
      "package.json is not valid JSON: …. Correct it, then run npx openevals-wasm init again. Nothing was changed.",
    ],
    [
      "a package.json without an object",
      { "package.json": "[]" },
      "package.json has to contain an object. Correct it, then run npx openevals-wasm init again. Nothing was changed.",
    ],
    [
      "scripts that are not an object",
      { "package.json": '{ "scripts": [] }' },
      'package.json has a field "scripts" that is not an object. Correct it, then run npx openevals-wasm init again. Nothing was changed.',
    ],
    [
      "a file where the folder has to be",
      { ...PROJECT, evals: "notes" },
      "evals exists already. Move or rename it, then run npx openevals-wasm init again. Nothing was changed.",
    ],
  ])("%s", async (_name, files, message) => {
    const folder = await installed(files);
    const { code, stdout, stderr } = await init(folder, "--ci");
    const pattern = message
      .split("…")
      .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
      .join(".*");
    expect({ code, stdout, stderr }).toEqual({
      code: 2,
      stdout: "",
      stderr: expect.stringMatching(`^openevals-wasm: ${pattern}\n$`),
    });
    expect(await textsIn(folder)).toEqual(files);
  });

  it.each<[string, BufferEncoding]>([
    ["Latin-1", "latin1"],
    ["UTF-16", "utf16le"],
  ])("a package.json in %s", async (_name, encoding) => {
    const folder = await installed(PROJECT);
    const file = join(folder, "package.json");
    const bytes = Buffer.from(
      `\uFEFF{ "author": "Zoë", ${LISTED} }`.slice(encoding === "latin1" ? 1 : 0),
      encoding,
    );
    await writeFile(file, bytes);
    expect(await init(folder)).toMatchObject({
      code: 2,
      stderr: `openevals-wasm: ${file} is not UTF-8. Save the file as UTF-8, then run npx openevals-wasm init again. Nothing was changed.\n`,
    });
    expect(await readFile(file)).toEqual(bytes);
    expect(Object.keys(await textsIn(folder))).toEqual(["package.json"]);
  });

  it("a folder below a package", async () => {
    const folder = await installed({ ...PROJECT, ".git/HEAD": "", "src/a.js": "" }, [], "src");
    const { code, stderr } = await init(folder);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr: `openevals-wasm: There is no package.json in ${folder}; the nearest is ../package.json. Run npx openevals-wasm init in its folder, or create a package here with npm init -y, then run npx openevals-wasm init again.\n`,
    });
    expect(await readdir(folder)).toEqual(["a.js"]);
  });

  it("a folder that is read-only", async () => {
    const folder = await installed(PROJECT);
    await chmod(folder, 0o555);
    // Nothing is read-only for root.
    const nobody = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
    const ended = await new Promise<{ code: number; stderr: string }>((resolve) => {
      execFile(process.execPath, [program, "init"], { cwd: folder, ...nobody }, (error, _, stderr) =>
        resolve({ code: Number(error?.code ?? 0), stderr }),
      );
    });
    await chmod(folder, 0o755);
    expect(ended).toEqual({
      code: 2,
      stderr: `openevals-wasm: ${folder} is read-only. Make it writable, then run npx openevals-wasm init again.\n`,
    });
    expect(await textsIn(folder)).toEqual(PROJECT);
  });

  it("names of files", async () => {
    const folder = await installed(PROJECT);
    expect(await init(folder, "evals")).toEqual({
      code: 2,
      stdout: "",
      stderr:
        "openevals-wasm: init takes no files; run it in the folder of your project. See npx openevals-wasm init --help.\n",
    });
    expect(await textsIn(folder)).toEqual(PROJECT);
  });
});

describe("a call that was interrupted", () => {
  it("before package.json was written goes on", async () => {
    const complete = await installed(PROJECT);
    await init(complete);
    const texts = await textsIn(complete);
    const data = "evals/first.eval.mjs";
    const folder = await installed({ ...PROJECT, [data]: texts[data] as string });
    const before = (await stat(join(folder, data))).mtimeMs;
    const { code, stdout } = await init(folder);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: expect.stringMatching(/^created evals\/first\.jsonl\nchanged package\.json\n/),
    });
    expect(await textsIn(folder)).toEqual(texts);
    expect((await stat(join(folder, data))).mtimeMs).toBe(before);
  });

  it("by an installation that failed goes on, and runs", async () => {
    const folder = await projectOf({});
    await rm(join(folder, "node_modules"), { recursive: true });
    const offline = {
      npm_config_registry: "http://127.0.0.1:1/",
      npm_config_fetch_retries: "0",
      npm_config_userconfig: "none",
    };
    const failed = await runProgram(folder, ["init"], offline);
    expect(failed).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /^\$ npm install\n[\s\S]*^openevals-wasm: npm install failed; its output is above\. The files are in place: when the cause is removed, run npx openevals-wasm init again\.$/m,
      ),
    });
    const texts = await textsIn(folder);
    expect(JSON.parse(texts["package.json"] as string)).toEqual({
      private: true,
      type: "module",
      scripts: { evals: "openevals-wasm run evals/*.eval.mjs" },
      devDependencies: { "openevals-wasm": `^${manifest.version}` },
    });
    await putPackage(folder);
    expect(await init(folder)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^exact_match +100\.0%/m),
    });
    expect(await textsIn(folder)).toEqual(texts);
  });
});

it("does not run an experiment that was changed, whose judges may cost money", async () => {
  const folder = await installed(PROJECT);
  await init(folder);
  await writeFile(join(folder, "evals/first.eval.mjs"), "throw new Error('ran');\n");
  await rm(join(folder, "evals/first.jsonl"));
  const before = await textsIn(folder);
  const { code, stdout, stderr } = await init(folder);
  expect({ code, stdout, stderr }).toEqual({
    code: 0,
    stdout: "The project is set up: npm run evals\n",
    stderr: "",
  });
  expect(await textsIn(folder)).toEqual(before);
});
