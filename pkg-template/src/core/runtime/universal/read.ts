/**
 * Reads or fetches a binary, which is beside the JavaScript. Tools that move the JavaScript away from it leave a URL
 * that answers 404, or with an HTML page and status 200; then the embedded copy is used, which every tool moves along.
 */

import { OpenEvalsError, reasonOf } from "../../errors.js";

/**
 * Finds a binary by its name.
 *
 * @param locate Returns its location. It is in the module of each binary, so that bundlers see which ones are needed.
 * @param embedded Imports the embedded copy.
 */
export async function findFile(
  name: string,
  locate: () => URL,
  embedded: () => Promise<{ default: () => Promise<Uint8Array> }>,
): Promise<Uint8Array> {
  let failure: string;
  try {
    // Inside the block: some bundles have no `import.meta.url`.
    const url = locate();
    try {
      return await read(url);
    } catch (error) {
      failure = `${url}: ${reasonOf(error)}`;
    }
  } catch (error) {
    failure = `the location of ${name}.wasm is unknown: ${reasonOf(error)}`;
  }
  try {
    const { default: unpack } = await embedded();
    return await unpack();
  } catch (error) {
    throw new OpenEvalsError(
      "load_failed",
      `${name}.wasm could not be loaded. ${failure}. The copy in ${name}-wasm-base64.js: ${reasonOf(error)}. Serve both ` +
        "files beside the package's JavaScript, or pass the binary to init() of openevals-wasm/slim.",
      { cause: error },
    );
  }
}

async function read(url: URL): Promise<Uint8Array> {
  const bytes = url.protocol === "file:" ? readFile(url) : await fetchBytes(url);
  const isWasm = ["\0", "a", "s", "m"].every((byte, index) => bytes[index] === byte.charCodeAt(0));
  if (!isWasm) throw new Error("the answer is not a WebAssembly binary");
  return bytes;
}

async function fetchBytes(url: URL): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`HTTP ${response.status} ${response.statusText}`.trimEnd());
  return new Uint8Array(await response.arrayBuffer());
}

function readFile(url: URL): Uint8Array<ArrayBuffer> {
  const { process, Deno } = globalThis as unknown as FileRuntime;
  // Deno would ask the user for permission to read a file that is in the package anyway.
  if (Deno && Deno.permissions.querySync({ name: "read", path: url }).state !== "granted") {
    throw new Error("no permission to read it");
  }
  const fs = process?.getBuiltinModule?.("node:fs");
  if (!fs) throw new Error("this runtime cannot read files");
  return fs.readFileSync(url);
}

/** The two globals that decide how files are read. `getBuiltinModule` hides `node:fs` from bundlers for the browser. */
interface FileRuntime {
  process?: {
    getBuiltinModule?(id: "node:fs"): { readFileSync(url: URL): Uint8Array<ArrayBuffer> } | undefined;
  };
  Deno?: { permissions: { querySync(descriptor: { name: "read"; path: URL }): { state: string } } };
}
