/** Changes an example so that the values in its comments can be checked when it runs. */

import { createRequire } from "node:module";
import { readExpected } from "./expected.ts";

// The compiler that can be asked by programs.
export const ts = createRequire(import.meta.url)("typescript5") as typeof import("typescript5");

/** A comment with an expected result. */
export interface Check {
  /** Whether it is about the output of `console.log`. */
  isPrinted: boolean;
  comment: string;
}

/** The function that is called instead of `console.log`, and with the values of comments. */
export const REPORT = "__report";

/**
 * A comment behind a statement, or on the lines below it, is a check where the statement is a `console.log`,
 * or where it begins with a value: that of the statement's expression, or of the variable that it declares.
 */
export function instrument(code: string): { code: string; checks: Check[] } {
  const source = ts.createSourceFile("example.ts", code, ts.ScriptTarget.Latest, true);
  const checks: Check[] = [];
  const edits: [position: number, length: number, text: string][] = [];

  const visit = (node: import("typescript5").Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isExpressionStatement(node) && !ts.isVariableStatement(node)) return;
    const comment = commentAfter(code, node.end);
    if (comment === undefined) return;
    const report = `${REPORT}(${checks.length}, `;
    const expression = ts.isExpressionStatement(node) ? node.expression : undefined;
    if (expression && ts.isCallExpression(expression) && expression.expression.getText() === "console.log") {
      const start = expression.getStart();
      edits.push([start, expression.arguments.pos - start, report]);
      checks.push({ isPrinted: true, comment });
    } else if (readExpected(comment)) {
      if (expression) {
        edits.push([expression.getStart(), 0, report], [expression.end, 0, ")"]);
      } else if (ts.isVariableStatement(node)) {
        const name = node.declarationList.declarations.at(-1)?.name;
        if (!name || !ts.isIdentifier(name)) return;
        edits.push([node.end, 0, ` ${report}${name.text});`]);
      }
      checks.push({ isPrinted: false, comment });
    }
  };
  visit(source);

  let changed = code;
  for (const [position, length, text] of edits.sort((a, b) => b[0] - a[0]))
    changed = changed.slice(0, position) + text + changed.slice(position + length);
  return { code: `const ${REPORT} = globalThis.${REPORT};\n${changed}\nexport {};\n`, checks };
}

function commentAfter(code: string, end: number): string | undefined {
  const rest = code.slice(end);
  const beside = /^[ \t]*\/\/(.*)/.exec(rest)?.[1];
  const below = /^[^\n]*\n((?:[ \t]*\/\/.*(?:\n|$))+)/.exec(rest)?.[1]?.replaceAll(/^[ \t]*\/\/ ?/gm, "");
  if (beside === undefined) return /^[ \t]*\n/.test(rest) ? below : undefined;
  return beside;
}
