import { isObject } from "../input/objects.js";
import type { Example } from "./types.js";

/** A field of the metadata or, if that has no such field, of the inputs of an example. */
export function exampleField({ metadata, inputs }: Example, field: string): unknown {
  const place = [metadata, inputs].find((fields) => isObject(fields) && Object.hasOwn(fields, field));
  return (place as Record<string, unknown> | undefined)?.[field];
}
