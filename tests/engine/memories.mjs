/** The memories of the engine's instances, as long as something holds them. Imported before the first evaluator is used. */
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

/** How many bytes they take. Looking at a memory keeps it for as long as the event loop has not turned. */
export const memoryInUse = () =>
  memories.reduce((sum, memory) => sum + (memory.deref()?.buffer.byteLength ?? 0), 0);
