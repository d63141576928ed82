/** The measurements as rows of a Markdown table. */

export const HEAD = [
  "| case | ours | reference | ratio | middle half | floors | aim | met |",
  "| :--- | ---: | ---: | ---: | :---: | ---: | ---: | :---: |",
].join("\n");

/** The text of each kind of aim, and whether it is met. */
const AIMS = {
  ratio: (least, { ratio }) => [`≥ ${number(least)}×`, ratio >= least],
  slowdown: (most, { ratio }) => [`≤ ${most}×`, ratio <= most],
  overFloor: ({ times, plus }, { overFloors }) => [
    `≤ ${times} floors${plus ? ` + ${plus} ms` : ""}`,
    overFloors(times) <= plus,
  ],
  below: (limit, { ours, show }) => [`< ${show(limit)}`, ours < limit],
};

/** A row, and whether its aim is met: `undefined` if it has none. */
export function row({ name, aim, measures }, { ours, reference, floor }) {
  const show = measures ? bytes : time;
  const ratios = reference && (aim?.slowdown ? quotients(ours, reference) : quotients(reference, ours));
  const figures = {
    ours: median(ours),
    ratio: ratios && median(ratios),
    /** How much longer ours takes than so many floors: round by round, as the ratios. */
    overFloors: (times) => median(ours.map((value, round) => value - times * floor[round])),
    show,
  };
  const [said, met] = aim ? verdict(aim, figures) : [""];
  const cells = [
    name,
    show(figures.ours),
    reference ? show(median(reference)) : "",
    ratios ? `${number(figures.ratio)}×` : "",
    ratios ? `${number(quantile(ratios, 0.25))} – ${number(quantile(ratios, 0.75))}` : "",
    floor ? number(median(quotients(ours, floor))) : "",
    said,
    met === undefined ? "" : met ? "yes" : "**no**",
  ];
  return { text: `| ${cells.join(" | ")} |`, met };
}

function verdict(aim, figures) {
  const [kind] = Object.keys(aim);
  const [said, met] = AIMS[kind](aim[kind], figures);
  return [aim.floors ? `${said} (${aim.floors} floors)` : said, met];
}

/** For each round, since a slow round is slow for all sides. */
const quotients = (above, below) => above.map((value, round) => value / below[round]);

export const median = (values) => quantile(values, 0.5);

function quantile(values, share) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.round((sorted.length - 1) * share)];
}

function time(milliseconds) {
  if (milliseconds < 1) return `${number(milliseconds * 1_000)} µs`;
  return milliseconds < 1_000 ? `${number(milliseconds)} ms` : `${number(milliseconds / 1_000)} s`;
}

function bytes(count) {
  return count < 1_000 ? `${Math.round(count)} B` : `${number(count / 1_000)} KB`;
}

/** Two or three digits that count. */
function number(value) {
  if (value >= 100) return Math.round(value).toLocaleString("en-US");
  return `${Number(value.toPrecision(value >= 10 ? 3 : 2))}`;
}
