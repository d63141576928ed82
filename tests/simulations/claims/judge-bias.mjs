import { calibrate } from "openevals-wasm/judges";
import { times } from "../experiments.mjs";
import { holds } from "../intervals.mjs";
import { covers } from "../promises.mjs";

export const claim = "The interval of a judge's position bias holds it in 95 % of samples.";
export const chapter = "agreement-intervals.md, How often they hold the true value";
export const runs = 400;
export const promise = covers;

const judge = ({ outputs }) => ({ key: "right", score: outputs.judged });

export const designs = {};
for (const favour of [0, 0.2]) {
  for (const count of [20, 60, 200]) {
    designs[`${count} rows, favoured by ${favour}`] = async (random) => {
      const data = times(count, (row) => {
        const [human, isFirst] = [random.happens(0.5), row % 2 === 0];
        // The first answer is called true more often, whatever it is.
        const judged = (isFirst && random.happens(favour)) || (random.happens(0.8) ? human : !human);
        return { id: `${row}`, outputs: { judged }, human, shown: isFirst ? "first" : "second" };
      });
      const { bias } = await calibrate(judge, { data, label: "human", position: "shown" });
      // Of those that would be called false, half of all.
      return holds(bias.position.interval, favour / 2);
    };
  }
}
