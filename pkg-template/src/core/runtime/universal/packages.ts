/** Imports optional packages by their names, if they are installed. */

import { loadPackagesWith } from "../../platform/packages.js";

export const attach = () =>
  loadPackagesWith(async (name) => (await import("./load-package.js")).loadPackage(name));
