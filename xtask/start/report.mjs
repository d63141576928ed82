// The report of `npm start`: a table with one row per evaluator, then the rows that failed, and why.

import { compare, padEnd, padStart, truncate, visible, width, wrap } from "./text.mjs";

const BAR = 10;

/** Colours, or the same functions without any. */
export function styles(enabled) {
  const style = (open, close) => (text) => (enabled ? `\x1b[${open}m${text}\x1b[${close}m` : text);
  return {
    bold: style(1, 22),
    dim: style(2, 22),
    red: style(31, 39),
    green: style(32, 39),
    yellow: style(33, 39),
  };
}

export function duration(milliseconds) {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return `${milliseconds.toFixed(milliseconds < 10 ? 1 : 0)} ms`;
}

/** The table, as lines, of [{ dataset, evaluators: [{ key, mean, count, failed, errors, milliseconds }] }]. */
export function table(results, { size, style }) {
  const all = results.flatMap(({ dataset, evaluators }) =>
    evaluators.map((evaluator, i) => ({ ...evaluator, dataset: i === 0 ? dataset : "" })),
  );
  const failures = (count, paint) => (count ? paint : style.dim);
  const columns = [
    { title: "Dataset", text: (row) => row.dataset, paint: () => style.bold },
    { title: "Evaluator", text: (row) => row.key },
    { title: "Mean", right: true, text: ({ mean }) => mean?.toFixed(2) ?? "–" },
    { title: "", optional: true, text: ({ mean }) => bar(mean), paint: () => style.green },
    { title: "Rows", right: true, text: (row) => String(row.count), paint: () => style.dim },
    {
      title: "Failed",
      right: true,
      text: (row) => String(row.failed),
      paint: (row) => failures(row.failed, style.red),
    },
    {
      title: "Errors",
      right: true,
      hidden: all.every((row) => row.errors === 0),
      text: (row) => String(row.errors),
      paint: (row) => failures(row.errors, style.yellow),
    },
    { title: "Time", right: true, text: (row) => duration(row.milliseconds), paint: () => style.dim },
  ].filter((column) => !column.hidden);
  for (const column of columns) {
    column.size = Math.max(width(column.title), ...all.map((row) => width(column.text(row))));
  }

  // On a narrow terminal the bars go first, then half of the space between the columns.
  const total = (shown, gap) => shown.reduce((sum, { size }) => sum + size, gap * (shown.length - 1));
  const shown = total(columns, 2) <= size ? columns : columns.filter((column) => !column.optional);
  const gap = total(shown, 2) <= size ? 2 : 1;

  const line = (cell) => shown.map(cell).join(" ".repeat(gap)).trimEnd();
  const pad = (column, text) => (column.right ? padStart(text, column.size) : padEnd(text, column.size));
  return [
    line((column) => style.dim(pad(column, column.title))),
    style.dim("─".repeat(total(shown, gap))),
    ...all.map((row) =>
      line((column) => {
        const paint = column.paint?.(row) ?? ((text) => text);
        return paint(pad(column, column.text(row)));
      }),
    ),
  ];
}

function bar(mean = 0) {
  const filled = Math.round(mean * BAR);
  return "█".repeat(filled) + "░".repeat(BAR - filled);
}

/** The rows that failed at least one evaluator, as lines. */
export function failingRows({ dataset, rows, evaluators }, { size, style }) {
  const labels = shortened(evaluators.map(({ key }) => key));
  const verdicts = (i) => evaluators.map((evaluator, e) => ({ ...verdict(evaluator, i), label: labels[e] }));
  const failing = rows
    .map((row, i) => ({ row, verdicts: verdicts(i) }))
    .filter(({ verdicts }) => verdicts.some(({ failed }) => failed));
  if (failing.length === 0) return [];

  const title = `${dataset}: ${failing.length} of ${rows.length} rows fail`;
  return [
    style.bold(title),
    "",
    ...failing.flatMap(({ row, verdicts }) => [...failingRow(row, verdicts, { size, style }), ""]),
  ];
}

function verdict({ outcomes, passAt = 1 }, i) {
  const { score, comment, error } = outcomes[i];
  return { score, comment, error, failed: !error && Number(score) < passAt };
}

/** Keys without the words that all of them share: trajectory_strict_match among its kind is just "strict". */
function shortened(keys) {
  const words = keys.map((key) => key.split("_"));
  const shared = (at) => words.every((one) => one.length > 2 && one.at(at) === words[0].at(at));
  return words.map((one) => one.slice(shared(0) ? 1 : 0, shared(-1) ? -1 : undefined).join("_"));
}

function failingRow(row, verdicts, { size, style }) {
  const question = typeof row.inputs === "string" ? row.inputs : (row.inputs?.text ?? canonical(row.inputs));
  const head = `✗ ${row.id}`;
  const lines = [
    `${style.red("✗")} ${style.bold(row.id)}  ${truncate(visible(question), size - width(head) - 2)}`,
  ];

  const marks = verdicts.map((one) => scoreMark(one, style));
  lines.push(...flow(marks, size - 2).map((line) => `  ${line}`));

  if (verdicts.some(({ failed, comment }) => failed && !comment)) {
    const label = 10;
    const { expected, actual, column, note } = compare(
      canonical(row.referenceOutputs),
      canonical(row.outputs),
      size - 4 - label,
    );
    lines.push(`    ${style.dim("expected  ")}${expected}`);
    lines.push(`    ${style.dim("actual    ")}${actual}`);
    lines.push(`    ${" ".repeat(label + column)}${style.red("^")}${note ? ` ${note}` : ""}`);
  }
  return [...lines, ...comments(verdicts, { size, style }).map((line) => `    ${line}`)];
}

/** What the evaluators say. They often say the same, so each comment stands once, beside all that gave it. */
function comments(verdicts, { size, style }) {
  const keys = new Map();
  for (const { label, failed, comment } of verdicts) {
    if (failed && comment) keys.set(comment, [...(keys.get(comment) ?? []), label]);
  }
  const said = Array.from(keys, ([comment, labels]) => ({
    who: labels.join(", "),
    comment: visible(comment),
  }));
  const left = Math.max(...said.map(({ who }) => width(who))) + 2;
  return said.flatMap(({ who, comment }) =>
    wrap(comment, size - 4 - left).map((line, i) => style.dim(padEnd(i === 0 ? who : "", left)) + line),
  );
}

/** "✗ exact_match", "✓ json_match:average 1" or "! correctness", with the width it has without colours. */
function scoreMark({ label, score, failed, error }, style) {
  const [mark, paint] = error ? ["!", style.yellow] : failed ? ["✗", style.red] : ["✓", style.dim];
  const number = typeof score === "number" ? ` ${Number(score.toFixed(2))}` : "";
  const text = `${mark} ${label}${number}`;
  return { text: paint(text), size: width(text) };
}

/** Items side by side, in as many lines as they need. */
function flow(items, size) {
  const lines = [];
  let used = Infinity;
  for (const item of items) {
    if (used + 3 + item.size > size) {
      lines.push(item.text);
      used = item.size;
    } else {
      lines[lines.length - 1] += `   ${item.text}`;
      used += 3 + item.size;
    }
  }
  return lines;
}

/** A value as one line of text; the keys of an object in order, so that two values line up. */
function canonical(value) {
  if (typeof value === "string") return visible(value);
  const sorted = (_, part) =>
    part && typeof part === "object" && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part;
  return visible(JSON.stringify(value, sorted));
}

/** The rows that could not be scored, as lines: each message once, with the rows that it met. */
export function errorRows({ dataset, rows, evaluators }, { size, style }) {
  return evaluators.flatMap(({ key, outcomes }) => {
    const messages = new Map();
    outcomes.forEach(({ error }, i) => {
      if (!error) return;
      const message = [error.code, error.message].filter(Boolean).join(": ");
      messages.set(message, [...(messages.get(message) ?? []), rows[i].id]);
    });
    if (messages.size === 0) return [];

    const lines = [style.bold(`${dataset}: ${key} could not score these rows`), ""];
    for (const [message, ids] of messages) {
      const [first, ...rest] = wrap(visible(message), size - 2);
      lines.push(`${style.yellow("!")} ${first}`, ...rest.map((line) => `  ${line}`));
      lines.push(...wrap(ids.join(", "), size - 4).map((line) => `    ${style.dim(line)}`), "");
    }
    return lines;
  });
}
