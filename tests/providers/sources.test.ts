/** Where the table of providers in the guide knows what each is sent from. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { listProviders } from "openevals-wasm";
import { expect, it } from "vitest";

const read = (name: string) => readFileSync(join(import.meta.dirname, name), "utf8");
const sources: Record<string, { packages?: string[] }> = JSON.parse(read("sources.json"));

it("is said of every provider", () => {
  expect(Object.keys(sources).sort()).toEqual(
    listProviders()
      .map(({ id }) => id)
      .sort(),
  );
});

it("are the SDKs that the servers are tested with", () => {
  const sdks = read("servers/sdks.ts");
  for (const name of Object.values(sources).flatMap(({ packages = [] }) => packages))
    expect(sdks).toContain(`from "${name}";`);
});
