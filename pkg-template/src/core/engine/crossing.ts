/** Values of the package's own making on their way into the engine and back, by the types that the engine declares. */

import type { JsonOf } from "../../openevals.types.js";
import { escaped } from "../input/verbatim.js";

/** JSON text of a value, for the engine. */
export const jsonOf = <T>(value: T): JsonOf<T> => escaped(JSON.stringify(value)) as JsonOf<T>;

/** The value of JSON text from the engine. */
export const parsed = <T>(json: JsonOf<T>): T => JSON.parse(json);
