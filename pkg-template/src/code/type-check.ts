/** Checks the types of code that is in memory, with the TypeScript that there is. */

import { OpenEvalsError } from "../errors.js";
import { byCompiler, type Compiler } from "./typescript-5.js";
import { byServer, type Server } from "./typescript-7.js";

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

/** The folder of the code, in memory. Nothing is beside it, so no import leads to a package that happens to be there. */
export const FOLDER = "/openevals-wasm";
export const PACKAGE = '{ "type": "module" }';

/** What the code is checked with, as in a `tsconfig.json`; the same for all versions. */
export function compilerOptions() {
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
    return await import(name);
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
