import { invalidInput } from "../errors.js";
import { show } from "./checks.js";

/**
 * The id of a row as text; `undefined` for a row without one.
 *
 * @param place The name of the row in messages, such as `data[3]`.
 * @throws {@link OpenEvalsError} `invalid_input` for an empty text, and for objects and lists, whose texts may be equal.
 */
export function rowId({ id }: { id?: unknown }, place: string): string | undefined {
  if (id == null) return undefined;
  if (typeof id === "string" ? id !== "" : typeof id === "bigint" || Number.isFinite(id)) return String(id);
  throw invalidInput(
    `${place} has the id ${show(id)}; an id has to be a number, or a text that is not empty`,
  );
}
