/** Checks the types of code that is in memory, with the TypeScript that there is. */

import { OpenEvalsError } from "../../core/errors.js";
import { loaded } from "../../core/platform/packages.js";
import type { TypeCheck } from "./types.js";
import { byCompiler, type TypeScriptCompiler } from "./typescript-5.js";
import { byServer, type Server } from "./typescript-7.js";

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
    return byCompiler(typescript as TypeScriptCompiler, libFiles);
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

async function installed(name: string): Promise<object> {
  try {
    return (await loaded(name)) as object;
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
