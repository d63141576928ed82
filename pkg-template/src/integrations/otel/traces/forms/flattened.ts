/** Lists and objects that are flattened into attributes, such as `gen_ai.prompt.0.role`. */

/** Deeper than any convention nests. */
const MAX_LEVELS = 12;

interface Node {
  value?: unknown;
  fields: Map<string, Node>;
}

/** The value below a prefix; `undefined` if there is none. */
function unflattened(attributes: Map<string, unknown>, prefix: string): unknown {
  const root: Node = { fields: new Map() };
  for (const [name, value] of attributes) {
    if (!name.startsWith(`${prefix}.`)) continue;
    let node = root;
    for (const part of name
      .slice(prefix.length + 1)
      .split(".")
      .slice(0, MAX_LEVELS)) {
      const next = node.fields.get(part) ?? { fields: new Map() };
      node.fields.set(part, next);
      node = next;
    }
    node.value = value;
  }
  return root.fields.size ? plain(root) : undefined;
}

/** The objects of the list below a prefix, in the order of the indices. */
export function listBelow(attributes: Map<string, unknown>, prefix: string): Record<string, unknown>[] {
  const value = unflattened(attributes, prefix);
  return Array.isArray(value) ? value.filter((each) => typeof each === "object" && each !== null) : [];
}

/** Numeric fields become a list without gaps. */
function plain({ value, fields }: Node): unknown {
  if (!fields.size) return value;
  const entries = [...fields].map(([name, node]) => [name, plain(node)] as const);
  if (!entries.every(([name]) => /^\d+$/.test(name))) return Object.fromEntries(entries);
  return entries.sort(([a], [b]) => Number(a) - Number(b)).map(([, each]) => each);
}
