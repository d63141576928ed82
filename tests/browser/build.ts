/** Builds the site once for all tests of it, with the packed package. */
import { fileURLToPath } from "node:url";
import { buildSite } from "../../xtask/site.mjs";

export const folder = fileURLToPath(new URL("../../target/fixtures/site", import.meta.url));

export default async function setUp(): Promise<void> {
  const pkg = fileURLToPath(new URL("../node_modules/openevals-wasm", import.meta.url));
  await buildSite({ pkg, out: folder, url: "https://example.com/evals/" });
}
