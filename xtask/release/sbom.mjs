/** The software bill of materials: what the published package consists of, as CycloneDX 1.6. */

import { readFileSync } from "node:fs";
import { compiledCrates } from "../notices.mjs";
import { path } from "../run.mjs";

/** The document. It depends only on the manifest and `Cargo.lock`, so it is reproducible. */
export function sbom({ name, version, description, license }, crates = compiledCrates()) {
  const own = `pkg:npm/${name}@${version}`;
  const checksums = checksumsOf(readFileSync(path("Cargo.lock"), "utf8"));
  const components = crates.map(({ name, version, license }) => {
    const checksum = checksums.get(`${name} ${version}`);
    return {
      type: "library",
      "bom-ref": `pkg:cargo/${name}@${version}`,
      name,
      version,
      licenses: [{ expression: license.replaceAll("/", " OR ") }],
      purl: `pkg:cargo/${name}@${version}`,
      ...(checksum && { hashes: [{ alg: "SHA-256", content: checksum }] }),
    };
  });
  return {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: {
        type: "library",
        "bom-ref": own,
        name,
        version,
        description,
        licenses: [{ license: { id: license } }],
        purl: own,
      },
    },
    components,
    dependencies: [
      { ref: own, dependsOn: components.map((one) => one["bom-ref"]) },
      ...components.map((one) => ({ ref: one["bom-ref"] })),
    ],
  };
}

/** The SHA-256 of the published archive of each crate. */
function checksumsOf(lock) {
  const entries = lock.matchAll(/^name = "(.+)"\nversion = "(.+)"\nsource = .*\nchecksum = "(\w+)"/gm);
  return new Map(Array.from(entries, ([, name, version, checksum]) => [`${name} ${version}`, checksum]));
}
