/** Checks the types of code that is in memory, with the compiler of TypeScript 5 and 6 or the server of TypeScript 7. */

import { OpenEvalsError } from "../errors.js";

/** What a compiler complains about. */
export interface Complaint {
  /** The number of the message, which is the same in every language and nearly every version. */
  code: number;
  /** What is wrong. */
  message: string;
  /** Where in the code; missing if it is about something else. */
  position?: number;
}

/** Checks a program of one file. */
export type TypeCheck = (code: string) => Promise<Complaint[]>;

/** As much of the package `typescript`, version 5 or 6, as is used. */
export interface Compiler {
  version: string;
  sys?: FileSystem & { useCaseSensitiveFileNames: boolean };
  createProgram(roots: string[], options: object, host: object): object;
  createSourceFile(name: string, text: string, target: unknown): object;
  convertCompilerOptionsFromJson(json: object, base: string): { options: object };
  flattenDiagnosticMessageText(text: unknown, lineEnd: string): string;
  getDefaultLibFileName(options: object): string;
  getDefaultLibFilePath(options: object): string;
  getPreEmitDiagnostics(program: object): readonly {
    code: number;
    messageText: unknown;
    start?: number;
    file?: { fileName: string };
  }[];
}

interface FileSystem {
  fileExists(path: string): boolean;
  readFile(path: string): string | undefined;
  directoryExists(path: string): boolean;
  getDirectories(path: string): string[];
  realpath?(path: string): string;
}

/** As much of `typescript/unstable/async`, version 7, as is used. */
export interface Server {
  API: new (options: { fs: object }) => ServerAPI;
}

interface ServerAPI {
  updateSnapshot(params: object): Promise<{
    getProject(config: string): { program: Record<string, () => Promise<readonly Diagnostic[]>> } | undefined;
    dispose(): Promise<void>;
  }>;
  close(): Promise<void>;
}

interface Diagnostic {
  code: number;
  text: string;
  messageChain?: readonly Diagnostic[];
  fileName?: string;
  pos: number;
}

/** The folder of the code, in memory. Nothing is beside it, so no import leads to a package that happens to be there. */
const FOLDER = "/openevals-wasm";
const PACKAGE = '{ "type": "module" }';

/** What the code is checked with, as in a `tsconfig.json`; the same for all versions. */
function compilerOptions() {
  return {
    module: "nodenext",
    moduleResolution: "nodenext",
    target: "es2021",
    alwaysStrict: true,
    // By default TypeScript 6 and 7 are strict, and look for no types.
    strict: false,
    types: ["*"],
    typeRoots: typeRoots(),
    skipLibCheck: true,
    noEmit: true,
  };
}

/** The types that a script in the working directory would see: `@types/node` above all. */
function typeRoots(): string[] {
  const { process } = globalThis as { process?: { cwd?(): string } };
  const folders = process?.cwd?.().replaceAll("\\", "/").split("/") ?? [];
  return folders.map(
    (_, index) => `${folders.slice(0, folders.length - index).join("/")}/node_modules/@types`,
  );
}

/** With the compiler of TypeScript 5 or 6, in this thread. `libFiles` take the place of those on the disk. */
export function byCompiler(ts: Compiler, libFiles: Record<string, string> | undefined): TypeCheck {
  const { types, ...json } = compilerOptions();
  // Up to TypeScript 5 all types are looked for where nothing is said.
  const known = Number.parseInt(ts.version, 10) < 6 ? json : { ...json, types };
  const { options } = ts.convertCompilerOptionsFromJson(known, FOLDER);
  const outputs = `${FOLDER}/outputs.ts`;
  const memory = new Map([[`${FOLDER}/package.json`, PACKAGE]]);
  for (const [name, text] of Object.entries(libFiles ?? {})) memory.set(`/lib/${name}`, text);
  const isMemory = (path: string) => path.startsWith(`${FOLDER}/`) || path === FOLDER;
  const disk = ts.sys;
  // Parsing the declarations of the language takes most of the time, so that is done once.
  const parsed = new Map<string, object>();
  const readFile = (path: string) => memory.get(path) ?? (isMemory(path) ? undefined : disk?.readFile(path));
  const keepsCase = disk?.useCaseSensitiveFileNames ?? true;
  const host = {
    readFile,
    fileExists: (path: string) => memory.has(path) || (!isMemory(path) && !!disk?.fileExists(path)),
    directoryExists: (path: string) =>
      path === FOLDER || (!isMemory(path) && (!disk || disk.directoryExists(path))),
    getDirectories: (path: string) => disk?.getDirectories(path) ?? [],
    realpath: (path: string) => (isMemory(path) ? path : (disk?.realpath?.(path) ?? path)),
    getSourceFile(path: string, target: unknown) {
      const text = parsed.has(path) ? undefined : readFile(path);
      if (text === undefined) return parsed.get(path);
      const file = ts.createSourceFile(path, text, target);
      if (path !== outputs) parsed.set(path, file);
      return file;
    },
    getDefaultLibFileName: () =>
      libFiles ? `/lib/${ts.getDefaultLibFileName(options)}` : ts.getDefaultLibFilePath(options),
    getCurrentDirectory: () => FOLDER,
    getCanonicalFileName: (path: string) => (keepsCase ? path : path.toLowerCase()),
    useCaseSensitiveFileNames: () => keepsCase,
    getNewLine: () => "\n",
    writeFile() {},
  };
  return async (code) => {
    memory.set(outputs, code);
    const found = ts.getPreEmitDiagnostics(ts.createProgram([outputs], options, host));
    return found.map(({ code, messageText, start, file }) => ({
      code,
      message: ts.flattenDiagnosticMessageText(messageText, "\n"),
      ...(file?.fileName === outputs && { position: start ?? 0 }),
    }));
  };
}

/**
 * With the server of TypeScript 7, which is a process of its own. It reads the code through a file system in memory,
 * checks one program at a time, and ends when there is no more to check, so that it keeps no script from ending.
 */
export function byServer({ API }: Server): TypeCheck {
  const memory = new Map<string, string>();
  const isMemory = (path: string) => path.startsWith(`${FOLDER}/`);
  const fs = {
    readFile: (path: string) => memory.get(path) ?? (isMemory(path) ? null : undefined),
    fileExists: (path: string) => memory.has(path) || (isMemory(path) ? false : undefined),
    directoryExists: (path: string) => path === FOLDER || (isMemory(path) ? isProject(path) : undefined),
    realpath: (path: string) => (isMemory(path) ? path : undefined),
  };
  const isProject = (path: string) => memory.has(`${path}/outputs.ts`);
  const tsconfig = JSON.stringify({ compilerOptions: compilerOptions(), files: ["outputs.ts"] });
  let api: ServerAPI | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let count = 0;

  async function check(code: string): Promise<Complaint[]> {
    api ??= new API({ fs });
    const project = `${FOLDER}/${count++}`;
    const config = `${project}/tsconfig.json`;
    const outputs = `${project}/outputs.ts`;
    const files = { [config]: tsconfig, [`${project}/package.json`]: PACKAGE, [outputs]: code };
    for (const [path, text] of Object.entries(files)) memory.set(path, text);
    const snapshot = await api.updateSnapshot({ openProjects: [config] });
    const found: Diagnostic[] = [];
    const program = snapshot.getProject(config)?.program;
    for (const kind of ["Program", "Global", "Syntactic", "Bind", "Semantic"]) {
      // As the compiler does it: code that cannot be read is not checked any further.
      if (kind === "Bind" && found.length) break;
      found.push(...((await program?.[`get${kind}Diagnostics`]?.()) ?? []));
    }
    await snapshot.dispose();
    for (const path of Object.keys(files)) memory.delete(path);
    await (await api.updateSnapshot({ closeProjects: [config] })).dispose();
    return found.map((diagnostic) => ({
      code: diagnostic.code,
      message: flatten(diagnostic, ""),
      ...(diagnostic.fileName === outputs && { position: diagnostic.pos }),
    }));
  }

  async function checkInTurn(code: string): Promise<Complaint[]> {
    let failed = true;
    try {
      const complaints = await check(code);
      failed = false;
      return complaints;
    } finally {
      waiting -= 1;
      if (failed || !waiting) {
        const idle = api;
        api = undefined;
        await idle?.close();
      }
    }
  }

  return (code) => {
    waiting += 1;
    const result = last.then(() => checkInTurn(code));
    last = result.catch(() => {});
    return result;
  };
}

/** The text of a diagnostic with its explanations below it, as the compiler writes them. */
const flatten = ({ text, messageChain = [] }: Diagnostic, indentation: string): string =>
  [text, ...messageChain.map((inner) => `\n${indentation}  ${flatten(inner, `${indentation}  `)}`)].join("");

/**
 * Finds out which TypeScript there is: the one that was passed, or else the one that is installed.
 *
 * @throws OpenEvalsError `invalid_config` if there is none that can check.
 */
export async function openTypeCheck(
  passed: object | undefined,
  libFiles: Record<string, string> | undefined,
): Promise<TypeCheck> {
  const typescript = unwrapped(passed ?? (await installed("typescript")));
  if ("createProgram" in typescript) {
    if (!("sys" in typescript && typescript.sys) && !libFiles) {
      throw new OpenEvalsError(
        "invalid_config",
        "TypeScript has no file system here; pass the files of typescript/lib/lib.*.d.ts as libFiles.",
      );
    }
    return byCompiler(typescript as Compiler, libFiles);
  }
  if ("API" in typescript) return byServer(typescript as Server);
  // The main module of version 7 holds nothing but this.
  if ("version" in typescript && Number.parseInt(String(typescript.version), 10) >= 7) {
    return openTypeCheck(await installed("typescript/unstable/async"), libFiles);
  }
  throw new OpenEvalsError(
    "invalid_config",
    "typescript has to be the module of TypeScript 5 or 6, or typescript/unstable/async of TypeScript 7.",
  );
}

/** The name is a variable, so that no bundler looks for a package that is optional. */
async function installed(name: string): Promise<object> {
  try {
    return await import(/* webpackIgnore: true */ /* @vite-ignore */ name);
  } catch (cause) {
    throw new OpenEvalsError(
      "invalid_config",
      `createTypeScriptEvaluator needs the package typescript, and ${name} could not be loaded. Install it ` +
        "(npm install typescript), or pass the module as the option typescript.",
      { cause },
    );
  }
}

/** What a CommonJS module exports, which `import` may have put into `default`. */
const unwrapped = (module: object): object =>
  "default" in module && typeof module.default === "object" && module.default !== null
    ? module.default
    : module;
