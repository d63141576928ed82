/** What the program needs of Node; it runs nowhere else. */

declare module "node:util" {
  interface OptionConfig {
    type: "string" | "boolean";
    short?: string;
    multiple?: boolean;
  }
  export function parseArgs(config: {
    tokens?: boolean;
    args: string[];
    options: Record<string, OptionConfig>;
    allowPositionals: boolean;
    strict: boolean;
  }): {
    values: Record<string, any>;
    positionals: string[];
    tokens: { kind: string; name?: string; value?: string }[];
  };
}

declare module "node:fs/promises" {
  export function readFile(path: string, encoding: "utf8"): Promise<string>;
  export function open(
    path: string,
    flags: "r",
  ): Promise<{
    stat(): Promise<{ isFile(): boolean }>;
    read(
      into: Uint8Array,
      offset: number,
      length: number,
      position: number,
    ): Promise<{ buffer: Uint8Array; bytesRead: number }>;
    close(): Promise<void>;
  }>;
  export function readdir(path: string): Promise<string[]>;
  export function readdir(
    path: string,
    options: { withFileTypes: true },
  ): Promise<{ name: string; isDirectory(): boolean }[]>;
  export function rm(path: string, options: { force: true; recursive?: true }): Promise<void>;
  export function mkdtemp(prefix: string): Promise<string>;
  export function appendFile(path: string, text: string): Promise<void>;
  export function stat(path: string): Promise<{ isDirectory(): boolean; mtimeMs: number; size: number }>;
  export function realpath(path: string): Promise<string>;
  export function mkdir(path: string, options: { recursive: true }): Promise<unknown>;
}

declare module "node:path" {
  export function basename(path: string): string;
  export function dirname(path: string): string;
  export function resolve(...paths: string[]): string;
  export function join(...paths: string[]): string;
  export function extname(path: string): string;
  export function relative(from: string, to: string): string;
}

/** Entry points of the package, as files: what finds the binaries for this runtime. */
declare module "file:*";

declare module "node:fs" {
  export function watch(
    folder: string,
    listener: (event: string, name: string | null) => void,
  ): { close(): void };
}

declare module "node:os" {
  export function tmpdir(): string;
}

declare module "node:url" {
  export function pathToFileURL(path: string): { href: string };
}

declare module "node:module" {
  interface Require {
    (name: string): any;
    resolve(name: string): string;
    cache: Record<string, unknown>;
  }
  export function createRequire(path: string): Require;
}

declare module "node:child_process" {
  interface Child {
    once(event: "close", listener: (code: number | null) => void): unknown;
    once(event: "error", listener: (error: Error) => void): unknown;
  }
  export function spawn(
    program: string,
    args: readonly string[],
    options: { stdio: "inherit" | "ignore" },
  ): Child;
  export function execFile(
    program: string,
    args: readonly string[],
    options: { cwd: string },
    end: (error: Error | null, stdout: string) => void,
  ): unknown;
}
