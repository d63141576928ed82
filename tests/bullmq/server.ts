/** A real server of Redis or Valkey on the loopback, which can be killed and restarted with its data. */
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { findRedis } from "../../xtask/setup.mjs";

export interface Server {
  port: number;
  /** Options of a connection to it, which looks again at once when it is lost. */
  connection: { host: string; port: number; password?: string; retryStrategy: () => number };
  /** As `kill -9` does. Its data is in its append-only file. */
  kill(): Promise<void>;
  /** Starts it again, on the same port. */
  start(): Promise<void>;
  /** Sends a command that no queue would send, such as `DEL key`. */
  command(name: string, ...args: string[]): Promise<unknown>;
  /** Has it answer nothing, with all its connections, until it thaws. */
  freeze(): void;
  thaw(): void;
  stop(): Promise<void>;
}

export async function startServer(password?: string): Promise<Server> {
  const program = findRedis();
  if (!program)
    throw new Error(
      "There is no redis-server and no valkey-server: npm run setup installs one, or says what to do",
    );
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "redis-"));
  let child: ChildProcess | undefined;
  const start = async () => {
    const options = {
      port,
      bind: "127.0.0.1",
      dir: folder,
      save: "",
      appendonly: "yes",
      appendfsync: "always",
      "enable-debug-command": "no",
      ...(password && { requirepass: password }),
    };
    const args = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
    const started = spawn(program, args, { stdio: ["ignore", "pipe", "inherit"] });
    child = started;
    await new Promise<void>((resolve, reject) => {
      let said = "";
      started.once("error", reject);
      started.once("close", (code) => reject(new Error(`${program} ended with ${code}:\n${said}`)));
      started.stdout.setEncoding("utf8").on("data", (text) => {
        said += text;
        if (/Ready to accept connections/i.test(said)) resolve();
      });
    });
  };
  const kill = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const closed = new Promise((resolve) => child?.once("close", resolve));
    child.kill("SIGKILL");
    await closed;
  };
  await start();
  return {
    port,
    connection: { host: "127.0.0.1", port, ...(password && { password }), retryStrategy: () => 50 },
    start,
    kill,
    async command(name, ...args) {
      const client = new Redis({ host: "127.0.0.1", port, ...(password && { password }) });
      try {
        return await client.call(name, ...args);
      } finally {
        client.disconnect();
      }
    },
    freeze: () => child?.kill("SIGSTOP"),
    thaw: () => child?.kill("SIGCONT"),
    async stop() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A port that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as { port: number };
  await new Promise((closed) => server.close(closed));
  return port;
}
