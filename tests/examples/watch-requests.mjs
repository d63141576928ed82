// Preloaded into a Node program: records its requests with `fetch` in the file that REQUESTS names.
import { subscribe } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";

subscribe("undici:request:create", ({ request }) => {
  appendFileSync(process.env.REQUESTS, `${request.method} ${request.origin}${request.path}\n`);
});
