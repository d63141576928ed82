/** The sources of the provider table in the guide. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listProviders } from "openevals-wasm";
import { expect, it } from "vitest";

const read = (name: string) => readFileSync(join(import.meta.dirname, name), "utf8");
const sources: Record<string, { packages?: string[] }> = JSON.parse(read("sources.json"));

it("exist for every provider", () => {
  expect(Object.keys(sources).sort()).toEqual(
    listProviders()
      .map(({ id }) => id)
      .sort(),
  );
});

it("are the SDKs with which the servers are tested", () => {
  const sdks = read("servers/sdks.ts");
  for (const name of Object.values(sources).flatMap(({ packages = [] }) => packages))
    expect(sdks).toContain(`from "${name}";`);
});
