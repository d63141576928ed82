/** The memories of the engine's instances, held weakly. Import this before the first evaluator is used. */
const memories = [];
const { instantiate } = WebAssembly;
WebAssembly.instantiate = async (...args) => {
  const made = await instantiate(...args);
  const { exports } = made.instance ?? made;
  for (const value of Object.values(exports)) {
    if (value instanceof WebAssembly.Memory) memories.push(new WeakRef(value));
  }
  return made;
};

/** Their size in bytes. Reading a memory keeps it alive until the event loop turns. */
export const memoryInUse = () =>
  memories.reduce((sum, memory) => sum + (memory.deref()?.buffer.byteLength ?? 0), 0);
