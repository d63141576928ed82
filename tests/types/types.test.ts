import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join, posix } from "node:path";
import { fileURLToPath } from "node:url";
import * as ours from "openevals-wasm";
import { beforeAll, describe, expect, test } from "vitest";
import { buildProjects } from "./build-projects.ts";
import { documentationExamples } from "./examples.ts";

const here = fileURLToPath(new URL(".", import.meta.url));
const work = join(here, ".work"); // beside the tests, so that packages are found in tests/node_modules
const require = createRequire(import.meta.url);
const installed = join(here, "../node_modules/openevals-wasm");
const reference = (path: string) => join(here, "../parity/node_modules", path);

/** The compilers that users have: the current one, and older ones under an alias. */
const compilers = ["typescript", "typescript6", "typescript5"].flatMap((name) => {
  try {
    const { version } = require(`${name}/package.json`) as { version: string };
    return [{ version, bin: join(require.resolve(`${name}/package.json`), "../bin/tsc") }];
  } catch {
    return [];
  }
});

const strictest = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  // The compilers' own declarations are not ours to check.
  skipDefaultLibCheck: true,
  target: "es2022",
};
const esm = { module: "nodenext", moduleResolution: "nodenext" };
const bundler = { module: "esnext", moduleResolution: "bundler" };
const browser = { lib: ["es2022", "dom"], types: [] };
const node = { lib: ["es2022"], types: ["node"] };

const paths = {
  openevals: [reference("openevals/index.d.ts")],
  "openevals/llm": [reference("openevals/llm.d.ts")],
  "openevals/code/e2b": [reference("openevals/code/e2b.d.ts")],
  "openevals/code/typescript": [reference("openevals/code/typescript.d.ts")],
  agentevals: [reference("agentevals/index.d.ts")],
  "agentevals-graph": [reference("agentevals/dist/graph_trajectory/strict.d.ts")],
};
// The declarations of other packages are not ours to check.
const clients = { ...bundler, lib: ["es2022", "dom"], types: ["node"], skipLibCheck: true };

const TRAJECTORY_ERROR = `import { createTrajectoryMatchEvaluator } from "openevals-wasm";
  const messages = [{ rolle: "user", content: "" }];
  createTrajectoryMatchEvaluator()({ outputs: messages, referenceOutputs: messages });`;

const binaries = ["", "-judges", "-agents", "-metrics", "-statistics"];
const BINARIES = [
  ...binaries.map((name, i) => `import module${i} from "openevals-wasm/openevals${name}.wasm";`),
  'import { init } from "openevals-wasm/slim";',
  ...binaries.map((_, i) => `init(module${i});`),
].join("\n");

/** Each project has all files with the same settings. */
const PROJECTS: Record<string, { files: string[]; compilerOptions: object }> = {
  node: { files: ["consumer.ts", "consumer.cts"], compilerOptions: { ...esm, ...node } },
  browser: {
    files: ["consumer.ts", "refused.ts", "binary-modules.ts", "trajectory-error.ts", "entries.ts"],
    compilerOptions: { ...bundler, ...browser },
  },
  "entries-node": {
    files: ["entries.ts", "entries.cts"],
    compilerOptions: { module: "node16", moduleResolution: "node16", ...browser },
  },
  // Neither the types of the DOM nor those of Node.
  "entries-bare": { files: ["entries.ts"], compilerOptions: { ...bundler, lib: ["es2022"], types: [] } },
  "binaries-node": { files: ["binaries.ts"], compilerOptions: { ...esm, lib: ["es2022"], types: [] } },
  clients: { files: ["clients.ts", "langsmith.ts"], compilerOptions: clients },
  assignable: {
    files: ["assignable.ts", "langsmith.ts"],
    compilerOptions: { ...clients, paths, exactOptionalPropertyTypes: false },
  },
};

/** Type-checks projects of the work folder in one process; returns the compiler errors of each. */
function check(bin: string, projects: typeof PROJECTS): Record<string, string> {
  for (const [name, { files, compilerOptions }] of Object.entries(projects)) {
    const config = { compilerOptions: { ...strictest, ...compilerOptions }, files };
    writeFileSync(join(work, `tsconfig.${name}.json`), JSON.stringify(config));
  }
  return buildProjects(bin, work, Object.keys(projects));
}

beforeAll(() => {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(work);
  writeFileSync(join(work, "package.json"), '{ "type": "module" }');
  for (const extension of ["ts", "cts"])
    copyFileSync(join(here, "consumer.ts"), join(work, `consumer.${extension}`));
  for (const file of ["refused.ts", "assignable.ts", "clients.ts", "langsmith.ts"])
    copyFileSync(join(here, file), join(work, file));
  writeFileSync(join(work, "trajectory-error.ts"), TRAJECTORY_ERROR);
  writeFileSync(join(work, "binaries.ts"), BINARIES);
  writeFileSync(
    join(work, "binary-modules.ts"),
    `${BINARIES}\nexport const one: WebAssembly.Module = module0;`,
  );
  const { exports } = JSON.parse(readFileSync(join(installed, "package.json"), "utf8"));
  const names = Object.keys(exports).filter((name) => exports[name].require);
  const code = names.map((name, i) => `export * as entry${i} from "${posix.join("openevals-wasm", name)}";`);
  for (const extension of ["ts", "cts"]) writeFileSync(join(work, `entries.${extension}`), code.join("\n"));
});

test("the current TypeScript is among the compilers", () => {
  expect(compilers.map(({ version }) => Number.parseInt(version, 10))).toContain(7);
});

describe.each(compilers)("with TypeScript $version", ({ bin }) => {
  let complaints: Record<string, string>;
  beforeAll(() => {
    complaints = check(bin, PROJECTS);
  }, 600_000);

  test("modules of Node users compile, in both formats", () => {
    expect(complaints.node).toBe("");
  });

  test("for the browser, right calls and every entry point compile, and wrong calls do not", () => {
    // Errors of trajectories are about trajectories. Their details are indented.
    const errors = complaints.browser?.trimEnd().split(/\n(?!\s)/) ?? [];
    expect(errors.length).toBeGreaterThan(0);
    for (const error of errors) {
      expect(error).toMatch(/^trajectory-error\.ts.* not assignable to type 'Trajectory'/);
      expect(error).not.toMatch(/LangSmith|overload/);
    }
  });

  test.each(["entries-node", "entries-bare"])("every entry point has types: %s", (project) => {
    expect(complaints[project]).toBe("");
  });

  test("the binaries have types without those of modules", () => {
    expect(complaints["binaries-node"]).toBe("");
  });

  test("models, prompts and schemas of other packages are taken, and LangSmith takes every evaluator", () => {
    expect(complaints.clients).toBe("");
  });

  test("exports are assignable to the reference's types, without exact optional properties to LangSmith's", () => {
    expect(complaints.assignable).toBe("");
  });
});

test("every export that we share with the reference is assigned to its type", async () => {
  const theirs = {
    ...(await import(reference("openevals/index.js"))),
    ...(await import(reference("agentevals/index.js"))),
  };
  const assignments = readFileSync(join(here, "assignable.ts"), "utf8").replaceAll(/\s+/g, " ");
  const shared = Object.keys(ours).filter((name) => typeof theirs[name] === "function");
  expect(shared.filter((name) => !assignments.includes(`= ours.${name};`))).toEqual([]);
});

test("the examples of the documentation comments compile", () => {
  const compiler = compilers[0];
  if (!compiler) throw new Error("no TypeScript is installed");
  const names = Object.keys(ours).filter((name) => name !== "default");
  const examples = documentationExamples(join(installed, "dist"), names);
  expect(examples.length).toBeGreaterThan(5);
  const files = examples.map(({ source, code }, i) => {
    const file = `doc-${i + 1}.ts`;
    writeFileSync(join(work, file), `// ${source}\n${code}\nexport {};\n`);
    return file;
  });
  // Examples may leave something unused, and their users have @types/node and a DOM.
  const compilerOptions = {
    ...bundler,
    lib: ["es2022", "dom"],
    types: ["node"],
    exactOptionalPropertyTypes: false,
  };
  expect(check(compiler.bin, { doc: { files, compilerOptions } })).toEqual({ doc: "" });
});
