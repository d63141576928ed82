/**
 * A process that answers every question, at once or after so many milliseconds, with as little HTTP as there
 * is: `judge-server.mjs [ms]`. Sends its port to the parent process.
 */
import { createServer } from "node:net";
import { judgement } from "./cases/inputs.mjs";

const body = JSON.stringify(judgement.completion);
const answer = Buffer.from(
  `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
);

const latencyMs = Number(process.argv[2] ?? 0);

function reply(socket) {
  if (latencyMs) setTimeout(() => socket.write(answer), latencyMs);
  else socket.write(answer);
}

/** Counts the received bytes of a request, and answers it at its end. */
function serve(socket) {
  let head = "";
  let left = 0;
  socket.on("data", (bytes) => {
    let text = head + bytes.toString("latin1");
    while (text) {
      if (left > 0) {
        const taken = Math.min(left, text.length);
        left -= taken;
        text = text.slice(taken);
        if (left === 0) reply(socket);
        continue;
      }
      const end = text.indexOf("\r\n\r\n");
      if (end < 0) break;
      left = Number(/content-length: (\d+)/i.exec(text.slice(0, end))[1]);
      text = text.slice(end + 4);
    }
    head = text;
  });
  socket.on("error", () => socket.destroy());
}

const server = createServer(serve).listen(0, "127.0.0.1", () => process.send(server.address().port));
process.once("disconnect", () => process.exit());
