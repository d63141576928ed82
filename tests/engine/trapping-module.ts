import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import binaryen from "binaryen";

/** A published binary in which the exported function whose number is in the global `trap` traps. */
export async function trappingModule(
  name: "openevals" | "openevals-judges" | "openevals-agents" | "openevals-metrics" | "openevals-statistics",
): Promise<{ bytes: Uint8Array<ArrayBuffer>; functions: number }> {
  const file = createRequire(import.meta.url).resolve(`openevals-wasm/${name}.wasm`);
  const module = binaryen.readBinary(await readFile(file));
  module.addGlobal("trap", binaryen.i32, true, module.i32.const(-1));
  module.addGlobalExport("trap", "trap");
  const exported = Array.from({ length: module.getNumExports() }, (_, index) =>
    binaryen.getExportInfo(module.getExportByIndex(index)),
  ).filter(({ kind }) => kind === binaryen.ExternalFunction);
  for (const [number, { name, value }] of exported.entries()) {
    const { params, results } = binaryen.getFunctionInfo(module.getFunction(value));
    const passed = binaryen.expandType(params).map((type, index) => module.local.get(index, type));
    const isMeant = module.i32.eq(module.global.get("trap", binaryen.i32), module.i32.const(number));
    const body = module.block(
      null,
      [module.if(isMeant, module.unreachable()), module.call(value, passed, results)],
      results,
    );
    module.addFunction(`trapping ${number}`, params, results, [], body);
    module.removeExport(name);
    module.addFunctionExport(`trapping ${number}`, name);
  }
  if (!module.validate()) throw new Error("the module that traps is not valid");
  return { bytes: new Uint8Array(module.emitBinary()), functions: exported.length };
}

/** The instances made from now on, last one first. */
export function trappingInstances(): WebAssembly.Instance[] {
  const instances: WebAssembly.Instance[] = [];
  const { instantiate } = WebAssembly;
  WebAssembly.instantiate = (async (...args: Parameters<typeof instantiate>) => {
    const made = (await instantiate(...args)) as unknown as WebAssembly.WebAssemblyInstantiatedSource;
    const instance = made instanceof WebAssembly.Instance ? made : made.instance;
    // Node has its own modules.
    if (instance.exports.trap) instances.unshift(instance);
    return made;
  }) as unknown as typeof instantiate;
  return instances;
}

/** Selects the function that traps from now on; -1 for none. */
export function trapIn(instance: WebAssembly.Instance | undefined, number: number): void {
  (instance?.exports.trap as WebAssembly.Global<"i32">).value = number;
}

/** The outcome of a call: `resolved`, or the code of its error. */
export const settled = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => "resolved",
    (error) => error.code,
  );
