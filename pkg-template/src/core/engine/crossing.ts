/** Converts the package's own values for the engine and back, with the types that the engine declares. */

import type { JsonOf } from "../../openevals.types.js";
import { escaped } from "../input/json/verbatim.js";

/** Writes a value as JSON for the engine. */
export const jsonOf = <T>(value: T): JsonOf<T> => escaped(JSON.stringify(value)) as JsonOf<T>;

/** Reads JSON from the engine. */
export const parsed = <T>(json: JsonOf<T>): T => JSON.parse(json);
