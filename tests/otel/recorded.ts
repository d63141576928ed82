/** The agent's conversation, read from the traces of other tools. */

import type { BasicTracerProvider } from "@opentelemetry/sdk-trace-base";
import OpenAI from "openai";
import { trajectoriesFromOtlp } from "openevals-wasm/otel";
import { expect } from "vitest";
import { talk, weatherModel } from "./agent.ts";
import { collector } from "./collector.ts";

/** An instrumentation of OpenAI's client. */
interface Instrumentation {
  setTracerProvider(provider: BasicTracerProvider): void;
  manuallyInstrument(module: typeof OpenAI): void;
}

/** The trajectory of the spans that the agent's conversation exports. */
export async function recordedBy(instrumentation: Instrumentation) {
  await using sdk = await collector();
  await using model = await weatherModel();
  instrumentation.setTracerProvider(sdk.provider);
  instrumentation.manuallyInstrument(OpenAI);
  await talk(new OpenAI({ baseURL: model.url, apiKey: "key" }));
  return onlyTrajectory(await sdk.bodies());
}

/** The trajectory, of which there is one, with nothing to say about it. */
export function onlyTrajectory(traces: Parameters<typeof trajectoriesFromOtlp>[0]) {
  const { trajectories, notes } = trajectoriesFromOtlp(traces);
  expect(notes).toEqual([]);
  expect(trajectories).toHaveLength(1);
  return trajectories[0] as (typeof trajectories)[0];
}
