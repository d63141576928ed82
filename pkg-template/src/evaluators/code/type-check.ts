/** Checks the types of code in memory, with the available TypeScript. */

import { invalidConfig, OpenEvalsError } from "../../core/errors.js";
import { loadPackage } from "../../core/platform/packages.js";
import type { TypeCheck } from "./types.js";
import { checkWithCompiler, type TypeScriptCompiler } from "./typescript-5.js";
import { checkWithServer, type Server } from "./typescript-7.js";

/**
 * Opens the TypeScript module that was passed, otherwise the installed one.
 *
 * @throws OpenEvalsError `invalid_config` if there is none that can check code.
 */
export async function openTypeCheck(
  passed: object | undefined,
  libFiles: Record<string, string> | undefined,
  timeoutMs: number | undefined,
): Promise<TypeCheck> {
  const typescript = unwrapped(passed ?? (await installed("typescript")));
  if ("createProgram" in typescript) {
    if (!("sys" in typescript && typescript.sys) && !libFiles) {
      throw invalidConfig(
        "TypeScript has no file system here; pass the files of typescript/lib/lib.*.d.ts as libFiles",
      );
    }
    return checkWithCompiler(typescript as TypeScriptCompiler, libFiles);
  }
  if ("API" in typescript) return checkWithServer(typescript as Server, timeoutMs);
  // The main module of version 7 exports only its version.
  if ("version" in typescript && Number.parseInt(String(typescript.version), 10) >= 7) {
    return openTypeCheck(await installed("typescript/unstable/async"), libFiles, timeoutMs);
  }
  throw invalidConfig(
    "typescript has to be the module of TypeScript 5 or 6, or typescript/unstable/async of TypeScript 7",
  );
}

async function installed(name: string): Promise<object> {
  try {
    return (await loadPackage(name)) as object;
  } catch (cause) {
    throw new OpenEvalsError(
      "invalid_config",
      `createTypeScriptEvaluator needs the package typescript, and ${name} could not be loaded. Install it ` +
        "(npm install typescript), or pass the module as the option typescript.",
      { cause },
    );
  }
}

/** The exports of a CommonJS module, which `import()` may wrap in `default`. */
const unwrapped = (module: object): object =>
  "default" in module && typeof module.default === "object" && module.default !== null
    ? module.default
    : module;
