/** The guide says of each provider what it is sent, and where that is known from. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import * as openevals from "openevals-wasm";
import { expect, it } from "vitest";
import { providerPage } from "../../xtask/provider-table.mjs";

it("the table of providers in the guide is up to date", async () => {
  const { text, updated } = await providerPage(openevals);
  expect(text, "run `npm run build` and commit www/guide/providers.md").toBe(updated);
});

it("the SDKs that it names are those that the servers are tested with", () => {
  const read = (name: string) => readFileSync(join(import.meta.dirname, name), "utf8");
  const sources: { packages?: string[] }[] = Object.values(JSON.parse(read("sources.json")));
  const sdks = read("servers/sdks.ts");
  for (const name of sources.flatMap(({ packages = [] }) => packages))
    expect(sdks).toContain(`from "${name}";`);
});
