/** Adds members to `package.json` as text, so that everything else in it keeps its form. */

/** The members of an object in JSON, as positions in the text. */
interface ObjectSpan {
  /** After the opening brace. */
  start: number;
  /** Before the closing brace. */
  end: number;
  members: ManifestMember[];
}

/** Where a member starts, its name ends, its value starts, and it ends. */
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
 * not exist. The text has to be valid, and the member new.
 */
export function withMember(json: string, key: string, name: string, value: string): string {
  const root = spanOf(json, json.indexOf("{"));
  const parent = root.members.filter((member) => member.name === key).at(-1);
  const text = JSON.stringify(value);
  if (parent) return inserted(json, spanOf(json, parent.value), name, () => text);
  return inserted(json, root, key, ({ before, inner, colon }) => {
    const own = `${before}${inner}`;
    return `{${own}${JSON.stringify(name)}${colon}${text}${before}}`;
  });
}

/** The style of an object: the space before a member, what a level adds to it, and the colon with its spaces. */
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
  // The brace that closes an empty object goes back by a level.
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
