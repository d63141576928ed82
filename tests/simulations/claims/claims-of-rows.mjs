import { calibrate } from "openevals-wasm/judges";
import { times } from "../experiments.mjs";
import { holds } from "../intervals.mjs";

export const claim =
  "With clusterBy, which needs 50 rows, intervals of accuracy, sensitivity and kappa hold the truth in 92 % of samples and more, also where the verdicts on the claims of a row are right or wrong together.";
export const chapter = "rag-options.md, Claims of your own";
export const runs = 400;
export const promise = (design) => (/no clusterBy/.test(design) ? {} : { atLeast: 0.92 });

/** The numbers of claims of so many rows. */
const sizes = {
  "10 claims each": (count) => Array(count).fill(10),
  "1 to 30 claims": (count, random) => times(count, () => 1 + random.below(30)),
  "one of 60 claims, others of 1 to 5": (count, random) => [
    60,
    ...times(count - 1, () => 1 + random.below(5)),
  ],
};

const judge = ({ outputs }) => ({ key: "faithfulness", score: outputs });

/** How often the judge is right, and how often a claim is supported. */
const RIGHT = 0.85;
const SUPPORTED = 0.7;

/** Claims with labels and verdicts. Within a row, two verdicts are right together with this correlation. */
const draw = (random, sizes, correlation) =>
  sizes.flatMap((size, row) => {
    const shared = { right: random.happens(RIGHT), supported: random.happens(SUPPORTED) };
    const isShared = () => random.happens(Math.sqrt(correlation));
    return times(size, (claim) => {
      const right = isShared() ? shared.right : random.happens(RIGHT);
      const human = isShared() ? shared.supported : random.happens(SUPPORTED);
      return { id: `${row} ${claim}`, outputs: right ? human : !human, human, metadata: { row } };
    });
  });

/** Of verdicts that are right independently of the label. */
const agreed = RIGHT;
const saysYes = RIGHT * SUPPORTED + (1 - RIGHT) * (1 - SUPPORTED);
const chance = saysYes * SUPPORTED + (1 - saysYes) * (1 - SUPPORTED);
const TRUTH = { accuracy: RIGHT, sensitivity: RIGHT, kappa: (agreed - chance) / (1 - chance) };

export const designs = {};
for (const [name, sizesOf] of Object.entries(sizes)) {
  for (const count of [50, 100]) {
    for (const correlation of [0.3, 0.8]) {
      for (const clusterBy of ["row", ...(count === 50 ? [undefined] : [])]) {
        const by = clusterBy ? "" : ", no clusterBy";
        designs[`${count} rows, ${name}, correlation ${correlation}${by}`] = async (random) => {
          const data = draw(random, sizesOf(count, random), correlation);
          const report = await calibrate(judge, { data, label: "human", clusterBy });
          return Object.fromEntries(
            Object.entries(TRUTH).map(([figure, truth]) => [figure, holds(report[figure].interval, truth)]),
          );
        };
      }
    }
  }
}
