import { expect, test } from "bun:test";
import { createJsonMatchEvaluator, exactMatch } from "openevals-wasm";
import "openevals-wasm/vitest";
import { extract } from "./extract.ts";

const INVOICE = "Invoice No. 2026-117 of 3 May. Please pay EUR 1,250.00 within 30 days.";

test("everything is extracted", async () => {
  const referenceOutputs = { number: "2026-117", total: 1250, currency: "EUR" };
  await expect(await extract(INVOICE)).toPassEvaluator(exactMatch, { referenceOutputs });
});

test("of a poor scan, two of three fields", async () => {
  const outputs = await extract("lnvoice 2026-118. EUR 99.90");
  const referenceOutputs = { number: "2026-118", total: 99.9, currency: "EUR" };
  const average = createJsonMatchEvaluator({ aggregator: "average" });
  await expect(outputs).toPassEvaluator(average, { referenceOutputs, passAt: 0.6 });
  await expect(outputs).not.toPassEvaluator(exactMatch, { referenceOutputs });
});
