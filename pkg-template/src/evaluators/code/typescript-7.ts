/** Checks types with the server of TypeScript 7, which runs as a separate process. */

import { OpenEvalsError } from "../../core/errors.js";
import { AllowedPaths, compilerOptions, FOLDER, PACKAGE } from "./compiler-options.js";
import type { CodeDiagnostic, TypeCheck } from "./types.js";

/** The part of `typescript/unstable/async`, version 7, that is used. */
export interface Server {
  API: new (options: { fs: object }) => ServerAPI;
}

interface ServerAPI {
  updateSnapshot(params: object): Promise<{
    getProject(
      config: string,
    ): { program: Record<string, () => Promise<readonly TypeScriptDiagnostic[]>> } | undefined;
    dispose(): Promise<void>;
  }>;
  close(): Promise<void>;
  /** Not documented: the process of the server. */
  client?: { process?: ServerProcess };
}

interface ServerProcess {
  exitCode: number | null;
  signalCode: string | null;
  kill(): void;
}

/** Usual checks take a few seconds at most. */
const TIMEOUT_MS = 60_000;

interface TypeScriptDiagnostic {
  code: number;
  text: string;
  messageChain?: readonly TypeScriptDiagnostic[];
  fileName?: string;
  pos: number;
}

/**
 * Checks with the server of TypeScript 7. It reads the code through a file system in memory, checks one program at a
 * time, and is closed when nothing is left to check, so that it does not keep a script running.
 */
export function checkWithServer({ API }: Server, timeoutMs = TIMEOUT_MS): TypeCheck {
  const memory = new Map<string, string>();
  let allowed = new AllowedPaths();
  const fs = fileSystemOf(memory, (path) => allowed.has(path));
  const tsconfig = JSON.stringify({ compilerOptions: compilerOptions(), files: ["outputs.ts"] });
  let api: ServerAPI | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;
  let count = 0;

  function write(code: string) {
    const project = `${FOLDER}/${count++}`;
    const config = `${project}/tsconfig.json`;
    const outputs = `${project}/outputs.ts`;
    const files = { [config]: tsconfig, [`${project}/package.json`]: PACKAGE, [outputs]: code };
    for (const [path, text] of Object.entries(files)) memory.set(path, text);
    return { config, outputs, files };
  }

  /** Starts a server with a program without code, which stays open and keeps the library parsed. */
  async function start(): Promise<ServerAPI> {
    memory.clear();
    allowed = new AllowedPaths();
    api = new API({ fs });
    await (await api.updateSnapshot({ openProjects: [write("").config] })).dispose();
    allowed.seal();
    return api;
  }

  async function check(code: string): Promise<CodeDiagnostic[]> {
    const server = api ?? (await start());
    // The server gets UTF-8, and does not answer if that is invalid.
    const { config, outputs, files } = write(code.replace(/\p{Surrogate}/gu, "\ufffd"));
    const snapshot = await server.updateSnapshot({ openProjects: [config] });
    const found: TypeScriptDiagnostic[] = [];
    const program = snapshot.getProject(config)?.program;
    for (const kind of ["Program", "Global", "Syntactic", "Bind", "Semantic"]) {
      // As in the compiler: code with syntax errors is not checked further.
      if (kind === "Bind" && found.length) break;
      found.push(...((await program?.[`get${kind}Diagnostics`]?.()) ?? []));
    }
    await snapshot.dispose();
    for (const path of Object.keys(files)) memory.delete(path);
    await (await server.updateSnapshot({ closeProjects: [config] })).dispose();
    return found.map((diagnostic) => ({
      code: diagnostic.code,
      message: flatten(diagnostic, ""),
      ...(diagnostic.fileName === outputs && { position: diagnostic.pos }),
    }));
  }

  async function checkInTurn(code: string): Promise<CodeDiagnostic[]> {
    let isAlive = false;
    try {
      const diagnostics = await whileAlive(check(code), () => api?.client?.process, timeoutMs);
      isAlive = true;
      return diagnostics;
    } finally {
      waiting -= 1;
      if (!isAlive || !waiting) {
        const idle = api;
        api = undefined;
        if (!isAlive) idle?.client?.process?.kill();
        const closed = idle?.close();
        if (isAlive) await closed;
        // What it waits for may never happen.
        else closed?.catch(() => {});
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

/** A file system for the server: the files in memory, and those of the disk that it may read. */
function fileSystemOf(memory: ReadonlyMap<string, string>, mayRead: (path: string) => boolean): object {
  const isOnDisk = (path: string) => !path.startsWith(`${FOLDER}/`) && mayRead(path);
  const isProject = (path: string) => memory.has(`${path}/outputs.ts`);
  // For `undefined`, the server accesses the disk.
  return {
    readFile: (path: string) => memory.get(path) ?? (isOnDisk(path) ? undefined : null),
    fileExists: (path: string) => memory.has(path) || (isOnDisk(path) ? undefined : false),
    directoryExists: (path: string) => path === FOLDER || (isOnDisk(path) ? undefined : isProject(path)),
    realpath: (path: string) => (isOnDisk(path) ? undefined : path),
  };
}

/**
 * Waits for work of the server. Rejects if its process ends or takes too long, since its requests then never settle. Hostile
 * code can cause both.
 */
async function whileAlive<T>(
  work: Promise<T>,
  server: () => ServerProcess | undefined,
  timeoutMs: number,
): Promise<T> {
  const deadline = performance.now() + timeoutMs;
  let watch: ReturnType<typeof setInterval> | undefined;
  const ended = new Promise<never>((_, reject) => {
    watch = setInterval(() => {
      const { exitCode = null, signalCode = null } = server() ?? {};
      if (exitCode !== null || signalCode !== null)
        reject(new Error(`its process ended with ${signalCode ?? `exit code ${exitCode}`}`));
      else if (performance.now() > deadline)
        reject(new OpenEvalsError("timeout", `TypeScript did not end within ${timeoutMs} ms (timeoutMs).`));
    }, 100);
  });
  try {
    return await Promise.race([work, ended]);
  } finally {
    clearInterval(watch);
  }
}

/** The text of a diagnostic with its explanations indented below, as the compiler prints it. */
const flatten = ({ text, messageChain = [] }: TypeScriptDiagnostic, indentation: string): string =>
  [text, ...messageChain.map((inner) => `\n${indentation}  ${flatten(inner, `${indentation}  `)}`)].join("");
