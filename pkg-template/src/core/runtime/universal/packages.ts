/** Imports optional packages by their names, if they are installed. */

import { loadWith } from "../../platform/packages.js";

export const attach = () => loadWith(async (name) => (await import("./load-package.js")).loadPackage(name));
