/** The skill for coding agents: its commands and files work as they stand there. `init --agents` points to it. */
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { lstat, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { program, runProgram } from "./program.js";
import { projectOf } from "./project.js";

const pkg = join(dirname(program), "..");
const skill = await readFile(join(pkg, "skills/openevals-wasm/SKILL.md"), "utf8");
const blocks = Array.from(
  skill.matchAll(/^```(\w+) ?(.*)\n([\s\S]*?)^```$/gm),
  ([, language = "", file = "", code = ""]) => ({ language, file, code }),
);

describe("the skill", () => {
  it("has the form that agents expect", () => {
    const [, name, description] = /^---\nname: (.+)\ndescription: (.+)\n---\n/.exec(skill) ?? [];
    expect(name).toBe("openevals-wasm");
    expect(description?.length).toBeLessThan(1024);
    expect(skill.split("\n").length).toBeLessThan(500);
    expect(new Set(blocks.map(({ language }) => language))).toEqual(new Set(["sh", "js", "jsonl"]));
    for (const { language, file } of blocks) expect(file !== "").toBe(language !== "sh");
    const named = skill.match(/docs\/[\w-]*(?:\.md)?/g) ?? [];
    expect(named.length).toBeGreaterThan(2);
    expect(named.filter((path) => !existsSync(join(pkg, path)))).toEqual([]);
  });

  it("has commands that work, in this order", async () => {
    const folder = await projectOf({});
    for (const { language, file, code } of blocks) {
      if (language !== "sh") {
        await mkdir(dirname(join(folder, file)), { recursive: true });
        await writeFile(join(folder, file), code);
        continue;
      }
      const script = code.replaceAll("npx openevals-wasm", `"${process.execPath}" "${program}"`);
      const ended = await new Promise((resolve) => {
        execFile("sh", ["-e", "-c", script], { cwd: folder }, (error, _, stderr) =>
          resolve(error ? stderr : "ok"),
        );
      });
      expect(ended, code).toBe("ok");
    }
    // Each file is run by one of them.
    const commands = blocks.flatMap(({ language, code }) => (language === "sh" ? [code] : [])).join("");
    for (const { language, file } of blocks) if (language === "js") expect(commands).toContain(file);
    // The statement about the comparison.
    const compared = await runProgram(folder, ["compare", "before.json", "after.json", "--json"]);
    const [{ comparisons }] = JSON.parse(compared.stdout).experiments;
    expect(comparisons.exact_match).toMatchObject({ verdict: "may be chance", difference: 1 / 3 });
  });

  it("names options that exist also within its sentences", async () => {
    const { stdout } = await runProgram(pkg, ["--help", "--json"]);
    const { commands } = JSON.parse(stdout).help;
    const known = commands.flatMap((command: any) => command.options.map(({ name }: any) => name));
    const named = skill.match(/(?<=[\s`])--[a-z][a-z-]*/g) ?? [];
    expect(named.length).toBeGreaterThan(15);
    expect(named.filter((name) => ![...known, "--help"].includes(name))).toEqual([]);
  });
});

describe("init --agents", () => {
  const START = "<!-- openevals-wasm -->";
  const END = "<!-- /openevals-wasm -->";
  const agents = (folder: string) => runProgram(folder, ["init", "--agents"]);
  const textIn = (folder: string) => readFile(join(folder, "AGENTS.md"), "utf8");

  it("creates AGENTS.md, which leads to the skill, and changes nothing else", async () => {
    const folder = await projectOf({});
    expect(await agents(folder)).toMatchObject({ code: 0, stdout: "created AGENTS.md\n" });
    const text = await textIn(folder);
    const [path = ""] = /node_modules\/\S+SKILL\.md/.exec(text) ?? [];
    expect(existsSync(join(folder, path))).toBe(true);
    expect(existsSync(join(folder, "package.json"))).toBe(false);
    expect(await agents(folder)).toMatchObject({ code: 0, stdout: "AGENTS.md is up to date\n" });
    expect(await textIn(folder)).toBe(text);
  });

  it.each([
    [
      "after the text of others",
      "# Rules\n\nBe kind.\n",
      /^# Rules\n\nBe kind\.\n\n<!-- openevals-wasm -->\n/,
    ],
    ["in the line endings of Windows", "# Rules\r\n", /^# Rules\r\n\r\n<!-- openevals-wasm -->\r\n## Eval/],
    [
      "in the place of an earlier section",
      `a\n\n${START}\nold\n<!-- /openevals-wasm -->\n\nb\n`,
      /^a\n\n<!-- openevals-wasm -->\n## Evaluations\n[\s\S]*<!-- \/openevals-wasm -->\n\nb\n$/,
    ],
  ])("writes %s", async (_name, before, after) => {
    const folder = await projectOf({ "AGENTS.md": before });
    expect(await agents(folder)).toMatchObject({ code: 0, stdout: "changed AGENTS.md\n" });
    const text = await textIn(folder);
    expect(text).toMatch(after);
    expect(text).not.toContain("old");
    expect(await agents(folder)).toMatchObject({ stdout: "AGENTS.md is up to date\n" });
  });

  it.each([
    ["in a sentence", `Keep what is between \`${START}\` and \`${END}\`.\n\nmine\n`],
    ["in a code fence", `\`\`\`\`md\n\`\`\`\n${START}\nmine\n${END}\n\`\`\`\`\n`],
    ["in a fence of tildes", `~~~\n${START}\nmine\n${END}\n~~~\n`],
  ])("keeps markers that are quoted %s", async (_, before) => {
    const folder = await projectOf({ "AGENTS.md": before });
    expect(await agents(folder)).toMatchObject({ code: 0, stdout: "changed AGENTS.md\n" });
    const text = await textIn(folder);
    expect(text.startsWith(`${before}\n${START}\n## Evaluations\n`)).toBe(true);
    expect(await agents(folder)).toMatchObject({ stdout: "AGENTS.md is up to date\n" });
  });

  it.each([
    ["two beginnings", `${START}\na\n\nmine\n\n${START}\nb\n${END}\n`, `has ${START} more than once.`],
    ["a code fence without an end", "```\nmine\n", "has a code fence without an end"],
  ])("refuses %s", async (_, before, message) => {
    const folder = await projectOf({ "AGENTS.md": before });
    expect(await agents(folder)).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(await textIn(folder)).toBe(before);
  });

  it("refuses a file that is not UTF-8", async () => {
    const folder = await projectOf({});
    const latin1 = Buffer.from("Ein Füllwort\n", "latin1");
    await writeFile(join(folder, "AGENTS.md"), latin1);
    expect(await agents(folder)).toMatchObject({
      code: 2,
      stderr: "openevals-wasm: AGENTS.md is not UTF-8. Save the file as UTF-8. Nothing was changed.\n",
    });
    expect(await readFile(join(folder, "AGENTS.md"))).toEqual(latin1);
  });

  it("refuses a section without an end, a folder and links", async () => {
    const open = await projectOf({ "AGENTS.md": `${START}\nmine\n` });
    expect(await agents(open)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("Nothing was changed"),
    });
    expect(await textIn(open)).toBe(`${START}\nmine\n`);
    const taken = await projectOf({ "AGENTS.md/x": "" });
    expect(await agents(taken)).toMatchObject({ code: 2, stderr: expect.stringContaining("is not a file") });
    const linked = await projectOf({ "CLAUDE.md": "mine\n" });
    await symlink("CLAUDE.md", join(linked, "AGENTS.md"));
    expect(await agents(linked)).toMatchObject({ code: 2, stderr: expect.stringContaining("is a link") });
    expect(await readFile(join(linked, "CLAUDE.md"), "utf8")).toBe("mine\n");
    const dangling = await projectOf({});
    await symlink("/nowhere/AGENTS.md", join(dangling, "AGENTS.md"));
    expect(await agents(dangling)).toMatchObject({ code: 2 });
    expect((await lstat(join(dangling, "AGENTS.md"))).isSymbolicLink()).toBe(true);
  });
});
