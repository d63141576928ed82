/**
 * Copies the lists and plain objects of a value, so that what a function changes in it is not seen by others. Anything
 * else, such as an instance of a class, stays the same. The value has been written as JSON before, so it has no cycles.
 */
export function ownCopy<Value>(value: Value): Value {
  try {
    return copy(value) as Value;
  } catch {
    // A getter threw; the function that reads it reports that.
    return value;
  }
}

function copy(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Array.prototype) return (value as unknown[]).map((element) => copy(element));
  if (prototype !== Object.prototype || "toJSON" in value) return value;
  const copied: Record<string, unknown> = {};
  for (const key of Object.keys(value)) {
    const member = copy((value as Record<string, unknown>)[key]);
    // Assigning it would set the prototype.
    if (key === "__proto__") Object.defineProperty(copied, key, { value: member, ...OWN });
    else copied[key] = member;
  }
  return copied;
}

/** Reads what a function returned: at once if it can, since the function may go on changing what it returned. */
export async function readAtOnce<Value>(returned: unknown, read: (value: any) => Value): Promise<Value> {
  const isPromise = typeof (returned as PromiseLike<unknown> | null | undefined)?.then === "function";
  return isPromise ? read(await returned) : read(returned);
}

const OWN = { enumerable: true, configurable: true, writable: true };
