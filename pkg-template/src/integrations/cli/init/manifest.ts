/** Adds members to `package.json` as text, so that the rest keeps its formatting. */

/** The members of an object in JSON, as positions in the text. */
interface ObjectSpan {
  /** After the opening brace. */
  start: number;
  /** Before the closing brace. */
  end: number;
  members: ManifestMember[];
}

/** A member, with the positions of its start, the end of its name, the start of its value, and its end. */
interface ManifestMember {
  name: string;
  start: number;
  nameEnd: number;
  value: number;
  end: number;
}

const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Adds a member to the object at `key` of an object in JSON, after the last one and in its style. Creates the object if it does
 * not exist. The text has to be valid JSON without the member.
 */
export function withMember(json: string, key: string, name: string, value: string): string {
  const root = spanOf(json, json.indexOf("{"));
  const parent = root.members.filter((member) => member.name === key).at(-1);
  const text = JSON.stringify(value);
  if (parent) return inserted(json, spanOf(json, parent.value), name, () => text);
  return inserted(json, root, key, ({ before, inner, colon }) => {
    const indent = `${before}${inner}`;
    return `{${indent}${JSON.stringify(name)}${colon}${text}${before}}`;
  });
}

/** The style of an object: the space before a member, the indentation of one level, and the colon with its spaces. */
interface Style {
  before: string;
  inner: string;
  colon: string;
}

function inserted(json: string, span: ObjectSpan, name: string, value: (style: Style) => string): string {
  const last = span.members.at(-1);
  const style = styleOf(json, span);
  const member = `${JSON.stringify(name)}${style.colon}${value(style)}`;
  if (last) return `${json.slice(0, last.end)},${style.before}${member}${json.slice(last.end)}`;
  // The closing brace of an empty object is one level less indented.
  const after = style.before.slice(0, style.before.length - style.inner.length);
  return `${json.slice(0, span.start)}${style.before}${member}${after}${json.slice(span.end)}`;
}

function styleOf(json: string, span: ObjectSpan): Style {
  const root = spanOf(json, json.indexOf("{"));
  const [first] = root.members;
  const line = first ? json.slice(root.start, first.start) : "\n  ";
  const newline = /\r?\n/.exec(line)?.[0] ?? "";
  const inner = newline ? (/[ \t]*$/.exec(line)?.[0] ?? "") : "";
  const last = span.members.at(-1);
  const colon = first ? json.slice(first.nameEnd, first.value) : ": ";
  if (!last) return { before: span.start === root.start ? line : `${line}${inner}`, inner, colon };
  const previous = span.members.at(-2);
  const before = json.slice(previous ? json.indexOf(",", previous.end) + 1 : span.start, last.start);
  return { before, inner, colon };
}

/** Reads the object whose brace is at `start`. */
function spanOf(json: string, start: number): ObjectSpan {
  const span: ObjectSpan = { start: start + 1, end: start + 1, members: [] };
  let depth = 0;
  let member: ManifestMember | undefined;
  TOKEN.lastIndex = start;
  for (let found = TOKEN.exec(json); found; found = TOKEN.exec(json)) {
    const [token] = found;
    const end = found.index + token.length;
    if (/^[\]}]$/.test(token) && --depth === 0) {
      span.end = found.index;
      return span;
    }
    if (depth === 1 && token === ",") member = undefined;
    else if (depth === 1 && !member) {
      member = { name: JSON.parse(token), start: found.index, nameEnd: end, value: -1, end };
      span.members.push(member);
    } else if (member && token !== ":") {
      if (member.value < 0) member.value = found.index;
      member.end = end;
    }
    if (/^[[{]$/.test(token)) depth++;
  }
  return span;
}
