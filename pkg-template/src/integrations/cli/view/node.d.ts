/** What `view` needs of Node besides all else. */

declare module "node:http" {
  export interface Request extends AsyncIterable<Uint8Array> {
    method: string;
    url: string;
    headers: Record<string, string | undefined>;
  }
  export interface Response {
    writeHead(status: number, headers: Record<string, string>): Response;
    end(text?: string): void;
  }
  export interface Server {
    listen(port: number, host: string, listening: () => void): void;
    once(event: "error", listener: (error: Error) => void): unknown;
    address(): { port: number };
    close(): void;
    closeAllConnections(): void;
  }
  export function createServer(answer: (request: Request, response: Response) => void): Server;
}

declare module "node:crypto" {
  export function randomBytes(size: number): { toString(encoding: "base64url"): string };
  export function timingSafeEqual(one: Uint8Array, other: Uint8Array): boolean;
  export function createHash(name: "sha256"): { update(text: string): { digest(): Uint8Array } };
}
