/** Changes code where its syntax says, not where a pattern happens to match. */

import { parse } from "acorn";

/**
 * The code with nodes of its syntax tree replaced.
 *
 * @param replacement The text that takes the place of a node; `undefined` leaves it, and looks at what is below it.
 */
export function replaced(code, replacement) {
  const edits = [];
  visit(parse(code, { ecmaVersion: "latest", sourceType: "module" }));
  edits.sort((a, b) => b.start - a.start);
  return edits.reduce((text, { start, end, by }) => text.slice(0, start) + by + text.slice(end), code);

  function visit(node) {
    if (typeof node !== "object" || node === null) return;
    if (Array.isArray(node)) return node.forEach(visit);
    const by = node.type && replacement(node);
    if (by !== undefined) edits.push({ start: node.start, end: node.end, by });
    else Object.values(node).forEach(visit);
  }
}

/**
 * The code with what its variables begin with marked as pure, where a bundler could not tell. Loading a module of the package
 * does nothing, so that every variable may be left out that is not used.
 */
export function markedAsPure(code) {
  const { body } = parse(code, { ecmaVersion: "latest", sourceType: "module" });
  const declarations = body.map((node) => node.declaration ?? node).filter(isVariable);
  const impure = declarations
    .flatMap((node) => node.declarations)
    .map(({ init }) => init)
    .filter((init) => init && !isPure(init) && !isMarked(code, init));
  return impure.reduceRight((text, { start, end }) => {
    const value = text.slice(start, end);
    return `${text.slice(0, start)}${PURE} (() => (${value}))()${text.slice(end)}`;
  }, code);
}

const PURE = "/* @__PURE__ */";

const isVariable = ({ type }) => type === "VariableDeclaration";

/** Whether a call is marked already, of which the arguments are pure. */
const isMarked = (code, { type, start, arguments: args }) =>
  (type === "CallExpression" || type === "NewExpression") &&
  code.slice(0, start).trimEnd().endsWith(PURE) &&
  args.every(isPure);

/** Whether bundlers see that an expression does nothing. */
function isPure(node) {
  switch (node?.type) {
    case undefined:
    case "Literal":
    case "Identifier":
    case "ArrowFunctionExpression":
    case "FunctionExpression":
    // A class would lose the name that it has from its variable.
    case "ClassExpression":
      return true;
    case "TemplateLiteral":
      return node.expressions.length === 0;
    case "ArrayExpression":
      return node.elements.every(isPure);
    case "ObjectExpression":
      return node.properties.every(
        ({ type, computed, value }) => type === "Property" && !computed && isPure(value),
      );
    case "UnaryExpression":
      return node.operator !== "delete" && isPure(node.argument);
    default:
      return false;
  }
}

/** The names that a module exports by itself. */
export const exportedNames = (code) =>
  parse(code, { ecmaVersion: "latest", sourceType: "module" }).body.flatMap((node) =>
    node.type === "ExportNamedDeclaration"
      ? [...declaredNames(node.declaration), ...node.specifiers.map(({ exported }) => exported.name)]
      : [],
  );

/** The names that a declaration declares. */
export function declaredNames(node) {
  if (!node) return [];
  if (!isVariable(node)) return [node.id.name];
  return node.declarations.flatMap(({ id }) =>
    id.type === "ObjectPattern" ? id.properties.map(({ value }) => value.name) : [id.name],
  );
}

/** How code is written: names stay, comments and indents go. */
export const SHORTER = { minifySyntax: true, minifyWhitespace: true, lineLimit: 120 };

/** What bundlers are told of an import that they are not to follow. */
const LEFT_ALONE = "/* webpackIgnore: true */ /* turbopackIgnore: true */ /* @vite-ignore */";

/**
 * Code whose lines end between tokens only: not every tool knows that a string may go on behind a backslash. An import of a
 * variable is one of an optional package, which is looked for where the application runs.
 */
export const tidied = (code) =>
  replaced(code, ({ type, start, end, source }) => {
    if (type === "ImportExpression" && source.type === "Identifier")
      return `import(${LEFT_ALONE} ${source.name})`;
    const text = type === "Literal" || type === "TemplateElement" ? code.slice(start, end) : "";
    return text.includes("\\\n") ? text.replaceAll(/(?<!\\)((?:\\\\)*)\\\n/g, "$1") : undefined;
  });
