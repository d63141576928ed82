/** `npm run release` builds, and checks that the package may be published. It publishes nothing. */

import { build, packageVersion } from "./build.mjs";
import { checkHome, home } from "./home.mjs";
import { main } from "./run.mjs";

await main(import.meta.url, async () => {
  checkHome(home());
  await build();
  console.log(`${packageVersion()} can be published: npm publish ./pkg`);
});
