/** What the program needs of Node; it runs nowhere else. */

declare module "node:util" {
  interface OptionConfig {
    type: "string" | "boolean";
    short?: string;
    multiple?: boolean;
  }
  export function parseArgs(config: {
    args: string[];
    options: Record<string, OptionConfig>;
    allowPositionals: boolean;
    strict: boolean;
  }): { values: Record<string, any>; positionals: string[] };
}

declare module "node:fs/promises" {
  export function readFile(path: string, encoding: "utf8"): Promise<string>;
  export function writeFile(path: string, text: string): Promise<void>;
  export function readdir(path: string): Promise<string[]>;
  export function stat(path: string): Promise<{ isDirectory(): boolean }>;
  export function realpath(path: string): Promise<string>;
  export function mkdir(path: string, options: { recursive: true }): Promise<unknown>;
}

declare module "node:path" {
  export function basename(path: string): string;
  export function dirname(path: string): string;
  export function resolve(path: string): string;
}

/** Entry points of the package, as files: what finds the binaries for this runtime. */
declare module "file:*";
