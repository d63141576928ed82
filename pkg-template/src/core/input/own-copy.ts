/**
 * Copies the lists and plain objects of a value, so that a function can change it without effect on others. Instances of
 * classes are not copied. What is in several places is copied once, as it may have billions of places. A value that cannot be
 * copied is returned unchanged.
 */
export function ownCopy<Value>(value: Value): Value {
  try {
    return copy(value, new Map()) as Value;
  } catch {
    // A getter threw, or the value is too deep: the function that reads it reports that.
    return value;
  }
}

function copy(value: unknown, copies: Map<object, unknown>): unknown {
  if (typeof value !== "object" || value === null) return value;
  const before = copies.get(value);
  if (before) return before;
  const prototype = Object.getPrototypeOf(value);
  if (prototype === Array.prototype) {
    const copied: unknown[] = [];
    copies.set(value, copied);
    for (const element of value as unknown[]) copied.push(copy(element, copies));
    return copied;
  }
  if (prototype !== Object.prototype || "toJSON" in value) return value;
  const copied: Record<string, unknown> = {};
  copies.set(value, copied);
  for (const key of Object.keys(value)) {
    const member = copy((value as Record<string, unknown>)[key], copies);
    // Assigning it would set the prototype.
    if (key === "__proto__") Object.defineProperty(copied, key, { value: member, ...DATA_PROPERTY });
    else copied[key] = member;
  }
  return copied;
}

/** Reads the return value of a function. Does not wait unless it is a promise, because the function may change it later. */
export async function readAtOnce<Value>(returned: unknown, read: (value: any) => Value): Promise<Value> {
  const isPromise = typeof (returned as PromiseLike<unknown> | null | undefined)?.then === "function";
  return isPromise ? read(await returned) : read(returned);
}

const DATA_PROPERTY = { enumerable: true, configurable: true, writable: true };
