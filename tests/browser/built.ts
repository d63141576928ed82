/** The guide as files. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { folder } from "./build.js";

/** The names of all pages: `judges`, `example-next`, `reference-checks`. */
export const guidePages = readdirSync(join(folder, "guide"))
  .filter((name) => name.endsWith(".html") && name !== "404.html")
  .map((name) => name.replace(/\.html$/, ""));

/** The text of a file of the site. */
export const read = (file: string): string => readFileSync(join(folder, file), "utf8");
