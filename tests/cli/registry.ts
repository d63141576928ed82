/** A registry of npm on loopback that has one package: the packed tarball. */
import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tarball } from "../runtimes/install.js";
import { manifest } from "./program.js";

export interface Registry {
  url: string;
  close(): void;
  /** Answers no request for a tarball until {@link resume}. */
  stall(): Promise<void>;
  resume(): void;
}

export async function startRegistry(): Promise<Registry> {
  const bytes = await readFile(tarball);
  const integrity = `sha512-${createHash("sha512").update(bytes).digest("base64")}`;
  const { version } = manifest;
  let stalled: (() => void) | undefined;
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://localhost");
    if (pathname.endsWith(".tgz")) {
      if (stalled) return stalled();
      return response.setHeader("content-type", "application/octet-stream").end(bytes);
    }
    if (pathname !== `/${manifest.name}`) return response.writeHead(404).end("{}");
    const dist = { tarball: `${urlOf()}${manifest.name}/-/${manifest.name}-${version}.tgz`, integrity };
    const packument = {
      name: manifest.name,
      "dist-tags": { latest: version },
      versions: { [version]: { ...manifest, dist } },
      // Some package managers wait for a day before they trust a version.
      time: { created: PUBLISHED, modified: PUBLISHED, [version]: PUBLISHED },
    };
    response.setHeader("content-type", "application/json").end(JSON.stringify(packument));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const urlOf = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  return {
    url: urlOf(),
    stall: () =>
      new Promise<void>((asked) => {
        stalled = asked;
      }),
    resume() {
      stalled = undefined;
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const PUBLISHED = "2026-01-01T00:00:00.000Z";
