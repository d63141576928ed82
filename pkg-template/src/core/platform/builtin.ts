/** Modules that only some runtimes have. They are loaded by name, so that bundlers do not look for them. */

import { invalidConfig } from "../errors.js";

/** The part of an open file that is used. */
export interface FileHandle {
  read(
    into: Uint8Array,
    offset: number,
    length: number,
    position: number | null,
  ): Promise<{ bytesRead: number }>;
  readFile(encoding: "utf8"): Promise<string>;
  write(text: string, position: number): Promise<unknown>;
  write(bytes: Uint8Array): Promise<{ bytesWritten: number }>;
  appendFile(content: string | Uint8Array): Promise<void>;
  stat(): Promise<FileStatus>;
  close(): Promise<void>;
}

/** The part of a file's status that is used. */
interface FileStatus {
  size: number;
  mode: number;
  mtimeMs: number;
  nlink: number;
  dev: number;
  ino: number;
  isFile(): boolean;
  isDirectory(): boolean;
}

/** Bytes that can be converted to a text. */
interface NodeBuffer extends Uint8Array {
  toString(encoding?: "base64" | "utf8"): string;
}

interface Builtins {
  "node:fs/promises": {
    readFile(path: string | URL): Promise<Uint8Array>;
    readFile(path: string | URL, encoding: "utf8"): Promise<string>;
    writeFile(path: string, text: string, options?: { flag: "wx" }): Promise<void>;
    open(path: string | URL, flags: "r" | "r+" | "a" | "a+" | "ax", mode?: number): Promise<FileHandle>;
    stat(path: string | URL): Promise<FileStatus>;
    link(from: string, to: string): Promise<void>;
    chmod(path: string, mode: number): Promise<void>;
    realpath(path: string): Promise<string>;
    readlink(path: string): Promise<string>;
    truncate(path: string, size: number): Promise<void>;
    rename(from: string, to: string): Promise<void>;
    mkdir(path: string): Promise<void>;
    mkdtemp(prefix: string): Promise<string>;
    rm(path: string, options: { recursive: true; force: true }): Promise<void>;
  };
  "node:path": {
    basename(path: string): string;
    dirname(path: string): string;
    isAbsolute(path: string): boolean;
    resolve(...paths: string[]): string;
    join(...parts: string[]): string;
  };
  "node:os": { tmpdir(): string; availableParallelism(): number; hostname(): string };
  "node:zlib": {
    gzip(
      bytes: Uint8Array,
      options: { level: number },
      end: (error: Error | null, bytes: NodeBuffer) => void,
    ): void;
    gunzip(
      bytes: Uint8Array,
      options: { maxOutputLength: number },
      end: (error: Error | null, bytes: NodeBuffer) => void,
    ): void;
  };
  "node:buffer": { Buffer: { from(text: string, encoding: "base64" | "utf8"): NodeBuffer } };
  "node:worker_threads": {
    parentPort: {
      postMessage(message: unknown): void;
      on(type: "message", listener: (message: any) => void): unknown;
    } | null;
  };
  "node:module": { createRequire(from: string): { resolve(name: string): string } };
  "node:child_process": {
    execFile(
      file: string,
      args: readonly string[],
      options: {
        env: Record<string, string | undefined>;
        encoding: "utf8";
        maxBuffer: number;
        timeout: number;
        killSignal: "SIGKILL";
      },
      end: (
        error: (Error & { code?: number | string | null; killed?: boolean; signal?: string | null }) | null,
        stdout: string,
        stderr: string,
      ) => void,
    ): unknown;
  };
  "node:async_hooks": {
    AsyncLocalStorage: new <T>() => {
      run<R>(value: T, work: () => R): R;
      getStore(): T | undefined;
    };
  };
}

/** The module, if this runtime has it: Node, Deno and Bun have all, and workerd those that are switched on. */
export function findBuiltin<Name extends keyof Builtins>(name: Name): Builtins[Name] | undefined {
  const { process } = globalThis as {
    process?: { getBuiltinModule?: (name: Name) => Builtins[Name] | undefined };
  };
  return process?.getBuiltinModule?.(name);
}

/** The module. `otherwise` is the end of the error: the reason why it is needed, and what to do without it. */
export function builtin<Name extends keyof Builtins>(name: Name, otherwise: string): Builtins[Name] {
  const found = findBuiltin(name);
  if (!found) throw invalidConfig(`This runtime has no ${name}: ${otherwise}`);
  return found;
}
