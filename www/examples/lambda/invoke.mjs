/** Calls the bundle as Lambda does. */
import { readFile } from "node:fs/promises";
import { handler } from "./dist/handler.mjs";

const event = JSON.parse(await readFile(new URL("event.json", import.meta.url), "utf8"));
console.log(JSON.stringify(await handler(event)));
