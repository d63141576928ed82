/** From the TypeScript sources to what `dist/` holds of them: ES modules, the same as CommonJS, declarations for both. */

import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { binaryNames } from "./binaries.mjs";
import { eagerModules } from "./eager.mjs";
import { entryFiles, packages, program, requiredFiles } from "./entries.mjs";
import { path, root, run } from "./run.mjs";

const dist = "pkg/dist";

/**
 * Checks all types, and writes the declarations that can be reached from an entry point. Those for CommonJS go without
 * their documentation, which would be a tenth of the package a second time.
 */
export function declare(sources) {
  const all = path("target/declarations");
  rmSync(all, { recursive: true, force: true });
  run("node", [path("node_modules/typescript/bin/tsc"), "--project", sources, "--outDir", all]);
  for (const name of binaryNames) cpSync(`${sources}/${name}.types.d.ts`, `${all}/${name}.types.d.ts`);
  const imports = /(from |import\()"(\.[^"]+)\.js"/g;
  visit(
    entryFiles.map(({ source }) => source),
    (name) => {
      const text = readFileSync(`${all}/${name}.d.ts`, "utf8");
      write(path(dist, `${name}.d.ts`), text);
      const bare = text.replaceAll(/^[ \t]*\/\*\*[\s\S]*?\*\/\n/gm, "");
      write(path(dist, `${name}.d.cts`), bare.replaceAll(imports, '$1"$2.cjs"'));
      return Array.from(text.matchAll(imports), ([, , next]) => posix.join(posix.dirname(name), next));
    },
  );
}

/**
 * Writes the entry points, and chunks of what they share: whatever is imported, there is one engine and one class of
 * errors. Minified and without source maps, for the sake of the size of the package, but in short lines: Node shows the one
 * from which an error came that nobody caught.
 */
export async function bundle(sources) {
  const esbuild = await import("esbuild");
  const { metafile } = await esbuild.build({
    entryPoints: Object.fromEntries(
      [...entryFiles, ...packages, program].map((file) => [file.name, entryModule(sources, file)]),
    ),
    outdir: dist,
    absWorkingDir: root,
    metafile: true,
    bundle: true,
    splitting: true,
    minify: true,
    lineLimit: LINE_LIMIT,
    format: "esm",
    platform: "neutral",
    packages: "external",
    target: "es2022",
    plugins: [files, await eagerModules(esbuild, sources), lazyModules(sources)],
    // These stay files of their own, too.
    external: ["*.wasm", "*.wasm?module", "*-wasm-base64.js"],
  });
  for (const file of Object.keys(metafile.outputs))
    write(path(file), withLeftAloneImports(withWholeStrings(readFileSync(path(file), "utf8"))));
  await writeCommonJs(esbuild, metafile.outputs);
  for (const { name } of entryFiles) {
    const file = path(dist, `${name}.js`);
    write(file, withNames(readFileSync(file, "utf8")));
  }
}

/** Gives functions the names under which they are exported. Evaluators have the name of their key already. */
const GIVE_NAMES =
  'e=>{for(const n in e)/^(?!default$)[a-z_]/.test(n)&&typeof e[n]=="function"&&!("batch"in e[n])&&Object.defineProperty(e[n],"name",{value:n,configurable:!0})}';

/**
 * An entry point whose functions have names again, which the minifier took: traces and messages show them. Bundlers see an
 * unused pure call, and drop it, so that nothing stays in a bundle for the sake of its name.
 */
function withNames(code) {
  const [, list] = /\bexport\s*\{([^{}]*)\}\s*;?\s*$/.exec(code) ?? [];
  const named = list?.split(",").map((one) => {
    const [local, name = local] = one.trim().split(/\s+as\s+/);
    return `${name}:${local}`;
  });
  // Constants such as prompts have capitals, and so have classes.
  const functions = named?.filter((one) => /^(?!default:)[a-z_]/.test(one));
  if (!functions?.length) return code;
  return `${code.trimEnd()}\nconst names=/* @__PURE__ */(${GIVE_NAMES})({${functions.join(",")}});\n`;
}

const LINE_LIMIT = 120;

/** Code whose lines end between tokens only: not every tool knows that a string may go on behind a backslash. */
const withWholeStrings = (code) => code.replaceAll(/(?<!\\)((?:\\\\)*)\\\n/g, "$1");

/** What bundlers are told of an import that they are not to follow. The minifier removes the comments of the sources. */
const LEFT_ALONE = "/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */";

/** An import of a variable is one of an optional package, which is looked for where the application runs. */
const withLeftAloneImports = (code) => code.replaceAll(/\bimport\((?=[\w$]+\))/g, `import(${LEFT_ALONE} `);

/**
 * What esbuild starts from. Entry points say how their runtime finds the binaries that they need. But for the first of
 * them, that is left to the main entry point, which the others import as a file, and all of `api` with it, so that nearly
 * everything comes in one chunk: at start-up, files cost more than contents.
 */
function entryModule(sources, { name, source, runtime, imports, binaries, hasDefault, isEager }) {
  if (!runtime) return isEager ? `eager:${source}` : `${sources}/${source}.ts`;
  const file = `${sources}/entries/${name}.ts`;
  const toDist = posix.relative(posix.dirname(name), ".") || ".";
  const toSources = posix.join("..", toDist);
  const found = imports.length ? binaries.filter((binary) => binary !== "scores") : binaries;
  const lines = imports.map((entry) => `import "file:${toDist}/${entry}.js";`);
  if (lines.length) lines.unshift(`import "${toSources}/api.js";`);
  for (const binary of found) {
    lines.push(
      `import { ${binary} as ${binary}Source } from "${toSources}/engine/sources.js";`,
      `import { find as find_${binary} } from "${toSources}/runtime/${runtime}/${binary}.js";`,
      `${binary}Source.useByDefault(find_${binary});`,
    );
  }
  lines.push(`export * from "${isEager ? `eager:${source}` : `${toSources}/${source}.js`}";`);
  if (hasDefault) lines.push(`export { default } from "${toSources}/${source}.js";`);
  write(file, `${lines.join("\n")}\n`);
  return file;
}

/** `file:` says that an import shall stay one. */
const files = {
  name: "files",
  setup: (build) =>
    build.onResolve({ filter: /^file:/ }, ({ path }) => ({
      path: path.slice("file:".length),
      external: true,
    })),
};

/**
 * What is loaded on use imports all of `api`, too, which is there already: modules that different files share make a chunk
 * for each set of these files, and so all that they share with the main entry point stays in its one chunk.
 */
const lazyModules = (sources) => ({
  name: "lazy modules",
  setup(build) {
    const api = join(sources, "api.ts");
    const own = packages.map(({ source }) => join(sources, `${source}.ts`));
    build.onResolve({ filter: /^\..*\.js$/ }, ({ path: name, kind, resolveDir }) => {
      const file = join(resolveDir, name.replace(/js$/, "ts"));
      const isLazy = kind === "dynamic-import" && existsSync(file) && !own.includes(file);
      return isLazy ? { path: file, namespace: "lazy" } : undefined;
    });
    build.onLoad({ filter: /./, namespace: "lazy" }, ({ path: file }) => ({
      contents: `import ${JSON.stringify(api)};\nexport * from ${JSON.stringify(file)};`,
      resolveDir: dirname(file),
    }));
  },
});

/** Writes each ES module as CommonJS beside it, so that these entry points share what those share. */
async function writeCommonJs(esbuild, outputs) {
  const modules = visit(
    [...requiredFiles, ...packages].map(({ name }) => `${dist}/${name}.js`),
    (file) => outputs[file].imports.filter(({ external }) => !external).map((next) => next.path),
  );
  for (const file of modules) {
    const { code } = await esbuild.transform(readFileSync(path(file), "utf8"), {
      format: "cjs",
      platform: "node",
      target: "es2022",
      minify: true,
      lineLimit: LINE_LIMIT,
      supported: { "dynamic-import": true },
      define: { "import.meta.url": "__moduleUrl", "import.meta.moduleRequire": "__moduleRequire" },
    });
    const inCommonJs = withLeftAloneImports(withWholeStrings(code))
      .replaceAll(/"(\.[^"]+)\.js"/g, (text, start) =>
        modules.has(join(dirname(file), `${start}.js`)) ? `"${start}.cjs"` : text,
      )
      // Jest, for one, cannot import in CommonJS.
      .replaceAll(/\bimport\(("\.[^"]+\.cjs")\)/g, "Promise.resolve().then(() => require($1))");
    // Where there is no such function the location is unknown, and the embedded copy is used.
    const url = 'process.getBuiltinModule("node:url").pathToFileURL(__filename)';
    // Said so that no bundler takes it for a dependency; where there is none, there is no such function.
    const require = 'Reflect.get(module, "require")?.bind(module)';
    const whole = inCommonJs.replaceAll("__moduleUrl", url).replaceAll("__moduleRequire", require);
    const isEntry = requiredFiles.some(({ name }) => file === `${dist}/${name}.js`);
    write(path(file.replace(/js$/, "cjs")), isEntry ? `${whole}(${GIVE_NAMES})(module.exports);\n` : whole);
  }
}

/** Everything that can be reached from `starts`, where `follow` names what comes after each. */
function visit(starts, follow) {
  const reached = new Set(starts);
  for (const name of reached) for (const next of follow(name)) reached.add(next);
  return reached;
}

function write(file, text) {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
