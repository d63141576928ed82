/** Checks types with the compiler of TypeScript 5 and 6, which is a library. */

import { AllowedPaths, compilerOptions, FOLDER, PACKAGE } from "./compiler-options.js";
import type { TypeCheck } from "./types.js";

/** The part of the package `typescript`, version 5 or 6, that is used. */
export interface TypeScriptCompiler {
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

/** Checks with TypeScript 5 or 6, in this thread. `libFiles` replace the files on disk. */
export function checkWithCompiler(
  ts: TypeScriptCompiler,
  libFiles: Record<string, string> | undefined,
): TypeCheck {
  const { types, ...json } = compilerOptions();
  // TypeScript 5 includes all types by default, and does not know "*".
  const supported = Number.parseInt(ts.version, 10) < 6 ? json : { ...json, types };
  const { options } = ts.convertCompilerOptionsFromJson(supported, FOLDER);
  const outputs = `${FOLDER}/outputs.ts`;
  const memory = new Map([[`${FOLDER}/package.json`, PACKAGE]]);
  for (const [name, text] of Object.entries(libFiles ?? {})) memory.set(`/lib/${name}`, text);
  const isMemory = (path: string) => path.startsWith(`${FOLDER}/`) || path === FOLDER;
  const disk = ts.sys;
  const allowed = new AllowedPaths();
  const diskFor = (path: string) => (!isMemory(path) && allowed.has(path) ? disk : undefined);
  // Parsing the standard library takes most of the time, so its files are kept.
  const parsed = new Map<string, object>();
  const readFile = (path: string) => memory.get(path) ?? diskFor(path)?.readFile(path);
  const keepsCase = disk?.useCaseSensitiveFileNames ?? true;
  const host = {
    readFile,
    fileExists: (path: string) => memory.has(path) || !!diskFor(path)?.fileExists(path),
    directoryExists: (path: string) => path === FOLDER || !!diskFor(path)?.directoryExists(path),
    getDirectories: (path: string) => diskFor(path)?.getDirectories(path) ?? [],
    realpath: (path: string) => diskFor(path)?.realpath?.(path) ?? path,
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
  const programOf = (code: string) => {
    memory.set(outputs, code);
    return ts.createProgram([outputs], options, host);
  };
  return async (code) => {
    if (allowed.isLearning) programOf("");
    allowed.seal();
    return ts.getPreEmitDiagnostics(programOf(code)).map(({ code, messageText, start, file }) => ({
      code,
      message: ts.flattenDiagnosticMessageText(messageText, "\n"),
      ...(file?.fileName === outputs && { position: start ?? 0 }),
    }));
  };
}
