import type { Row, Summary } from "./worker.ts";

const worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module" });
const find = <E extends Element>(selector: string) => document.querySelector<E>(selector) as E;
const summary = find<HTMLElement>("#summary");

find<HTMLButtonElement>("#sample").onclick = () => score(samples(10_000));
find<HTMLInputElement>("#file").onchange = async ({ target }) => {
  const [file] = (target as HTMLInputElement).files ?? [];
  if (file)
    score(
      (await file.text())
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line)),
    );
};

function score(rows: Row[]): void {
  summary.textContent = `Scoring ${rows.length} rows…`;
  const frames = measureFrames();
  worker.onmessage = ({ data }: MessageEvent<Summary>) => {
    const { mean, perfect, worst, milliseconds } = data;
    summary.textContent =
      `${rows.length} rows in ${milliseconds.toFixed(0)} ms: mean ${mean.toFixed(3)}, ${perfect} perfect. ` +
      `The page never stood still for more than ${frames.longest().toFixed(0)} ms.`;
    const items = worst.map(({ row, score }) => {
      const item = document.createElement("li");
      item.textContent = `${score.toFixed(2)}: “${row.outputs}” instead of “${row.referenceOutputs}”`;
      return item;
    });
    find("#worst").replaceChildren(...items);
  };
  worker.onerror = ({ message }) => (summary.textContent = message);
  worker.postMessage(rows);
}

/** The longest time between two frames: what somebody who scrolls meanwhile feels. */
function measureFrames() {
  let [last, longest, goesOn] = [performance.now(), 0, true];
  requestAnimationFrame(function next(now) {
    longest = Math.max(longest, now - last);
    last = now;
    if (goesOn) requestAnimationFrame(next);
  });
  return {
    longest() {
      goesOn = false;
      return longest;
    },
  };
}

function samples(count: number): Row[] {
  const answers = ["Paris", "Nairobi", "Astana", "Montevideo"];
  return Array.from({ length: count }, (_, index) => {
    const answer = answers[index % answers.length] as string;
    const outputs = index % 3 ? answer : answer.slice(0, -1 - (index % 2));
    return { outputs: `${index}: ${outputs}`, referenceOutputs: `${index}: ${answer}` };
  });
}
