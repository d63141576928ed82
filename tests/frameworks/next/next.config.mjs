import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

// Where node_modules is: above, there is another package.
const root = dirname(dirname(fileURLToPath(import.meta.url)));
export default { turbopack: { root }, outputFileTracingRoot: root };
