/** The retrieved contexts of a row. */

import { isRecord } from "../../../core/input/objects.js";
import type { ExperimentRow } from "../../../core/records/types.js";
import { shown, textOf } from "../../value-text.js";
import { h } from "./dom.js";
import { longText } from "./text-parts.js";

interface RetrievedContext {
  /** The text; the context itself in other forms. */
  text: unknown;
  id: unknown;
}

/** The contexts, if the row has as many as were judged in a field `context`, where experiments usually have them. */
export function contextsOf({ example, run }: ExperimentRow, count: number): RetrievedContext[] | undefined {
  return [example.inputs, run.outputs, example.metadata]
    .map(contextsIn)
    .find((contexts) => contexts?.length === count);
}

/**
 * The contexts of a row as a list, numbered from 1, as citations are: those in its metadata, or, if the outputs are not shown as they
 * are, those in them.
 */
export function contextPane({ example, run }: ExperimentRow, hasOutputs: boolean): HTMLElement | undefined {
  const contexts = contextsIn(example.metadata) ?? (hasOutputs ? undefined : retrievedIn(run.outputs));
  if (!contexts?.length) return undefined;
  const items = contexts.map(({ id, text }) =>
    h(
      "li",
      {},
      (typeof id === "string" || typeof id === "number") &&
        h("p", { class: "quiet", dir: "auto" }, shown(String(id))),
      longText(textOf(text, 2)),
    ),
  );
  return h("ol", { class: "contexts", tabindex: 0, "aria-label": "Contexts" }, ...items);
}

/** The contexts in outputs, in a field with a name that applications usually have. */
function retrievedIn(outputs: unknown): RetrievedContext[] | undefined {
  const { context, contexts, documents } = Object(outputs);
  return contextsIn({ context: context ?? contexts ?? documents });
}

/** The contexts in the field `context`: a list, or a single one. */
function contextsIn(fields: unknown): RetrievedContext[] | undefined {
  const context: unknown = Object(fields).context;
  if (context == null) return undefined;
  return (Array.isArray(context) ? context : [context]).map((one) => {
    if (!isRecord(one)) return { text: one, id: undefined };
    const { content, pageContent, text } = one;
    return { text: content ?? pageContent ?? text ?? one, id: one.id };
  });
}
