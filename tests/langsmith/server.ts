/**
 * A stand-in for LangSmith's API on loopback: it takes runs, feedback, datasets, examples and experiments
 * from the real client, and remembers them. Unknown requests get 404, and are recorded in a list that has to
 * be empty.
 */
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";

/** A run, as far as it has been told. */
export interface Run {
  id: string;
  name: string;
  run_type: string;
  session_name?: string;
  parent_run_id?: string;
  trace_id?: string;
  dotted_order: string;
  reference_example_id?: string;
  inputs: any;
  outputs?: any;
  error?: string;
  end_time?: string;
  extra: { metadata: Record<string, unknown> };
}

export interface Feedback {
  run_id: string | null;
  key: string;
  score?: unknown;
  comment?: string;
  feedback_source: { type: string; metadata?: Record<string, any> };
  session_id?: string;
}

type Stored = Record<string, any> & { id: string };

/** Merges reported fields into the record of a run. */
function assign<T extends { id: string }>(
  known: Map<string, T>,
  id: string,
  field: string | undefined,
  told: object,
) {
  const before = known.get(id) ?? ({ id } as T);
  known.set(id, Object.assign(before, field ? { [field]: told } : told));
}

export class LangSmithServer {
  readonly runs = new Map<string, Run>();
  readonly feedback: Feedback[] = [];
  readonly datasets: Stored[] = [];
  readonly examples: Stored[] = [];
  readonly sessions: Stored[] = [];
  /** The API keys that were sent. */
  readonly keys = new Set<unknown>();
  /** Requests that it has no answer to. */
  readonly unknown: string[] = [];
  url = "";
  #server = createServer(async (request, response) => {
    const { status, body } = await this.#answer(request).catch((error) => ({
      status: 500,
      body: { detail: String(error) },
    }));
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
    for (const look of this.#waiting) look();
  });
  #waiting = new Set<() => void>();

  static async start(): Promise<LangSmithServer> {
    const server = new LangSmithServer();
    await new Promise<void>((listening) => server.#server.listen(0, "127.0.0.1", listening));
    server.url = `http://127.0.0.1:${(server.#server.address() as AddressInfo).port}`;
    return server;
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** The environment of a process that sends everything here. */
  get env() {
    return {
      LANGSMITH_TRACING: "true",
      LANGSMITH_ENDPOINT: this.url,
      LANGSMITH_API_KEY: "lsv2_not_a_key",
      LANGSMITH_PROJECT: "tests",
    };
  }

  /** The run of this name once it has ended, with its children: they are reported in the background. */
  ended(name: string): Promise<Run> {
    return new Promise((resolve) => {
      const look = () => {
        const run = [...this.runs.values()].find((run) => run.name === name && run.end_time);
        if (!run) return;
        this.#waiting.delete(look);
        resolve(run);
      };
      this.#waiting.add(look);
      look();
    });
  }

  /** The runs right below one, in the order in which they began. */
  below(run: Run): Run[] {
    const children = [...this.runs.values()].filter(({ parent_run_id }) => parent_run_id === run.id);
    return children.sort((a, b) => (a.dotted_order < b.dotted_order ? -1 : 1));
  }

  async #answer(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    const { method, headers } = request;
    const { pathname, searchParams } = new URL(request.url ?? "", this.url);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const bytes = Buffer.concat(chunks);
    this.keys.add(headers["x-api-key"]);
    const isJson = /json/.test(headers["content-type"] ?? "") && bytes.length > 0;
    const body = isJson ? JSON.parse(bytes.toString("utf8")) : undefined;
    const found = (value: unknown) => ({ status: 200, body: value });
    const missing = { status: 404, body: { detail: "not found" } };
    const byId = (list: Stored[], id: string | undefined) => {
      const stored = list.find((each) => each.id === id);
      if (!stored) return missing;
      return found(method === "PATCH" ? Object.assign(stored, body) : stored);
    };
    const created = (list: Stored[], more: object = {}) => {
      const stored = { id: crypto.randomUUID(), ...more, ...body };
      list.push(stored);
      return found(stored);
    };
    const matching = (list: Stored[], field: string, parameter = field) => {
      const wanted = searchParams.get(parameter);
      return found(wanted === null ? list : list.filter((each) => each[field] === wanted));
    };

    /** Of uploads: the names of the parts, split at dots, and the JSON in them. */
    const parts = async () => {
      const type = { "content-type": headers["content-type"] ?? "" };
      const form = [...(await new Response(bytes, { headers: type }).formData())];
      const texts = form.map(
        ([name, value]) => [name, typeof value === "string" ? value : value.text()] as const,
      );
      return Promise.all(
        texts.map(async ([name, text]) => [name.split("."), JSON.parse(await text)] as const),
      );
    };

    const [, collection, id] = pathname.split("/");
    switch (`${method} /${collection}${id ? "/*" : ""}`) {
      case "GET /info":
        return found({
          version: "0.12.0",
          batch_ingest_config: { use_multipart_endpoint: true },
          instance_flags: { dataset_examples_multipart_enabled: true },
        });
      case "GET /settings":
        return found({ id: "tenant", display_name: "tests" });
      case "POST /runs/*":
        if (id !== "multipart") break;
        for (const [[, run, field], told] of await parts()) assign(this.runs, run as string, field, told);
        return { status: 202, body: {} };
      case "POST /v1/*": {
        const [, , , kind, dataset_id, what] = pathname.split("/");
        if (kind !== "datasets" || what !== "examples") break;
        const uploaded = new Map<string, Stored>();
        for (const [[example, field], told] of await parts())
          assign(uploaded, example as string, field, told);
        const now = new Date().toISOString();
        for (const example of uploaded.values()) {
          this.examples.push({ name: example.id, dataset_id, created_at: now, modified_at: now, ...example });
        }
        return found({ count: uploaded.size, example_ids: [...uploaded.keys()] });
      }
      case "POST /feedback":
        this.feedback.push(body);
        return found(body);
      case "GET /datasets":
        return matching(this.datasets, "name");
      case "POST /datasets":
        return created(this.datasets, { created_at: new Date().toISOString(), tenant_id: "tenant" });
      case "GET /datasets/*":
        return byId(this.datasets, id);
      case "PUT /datasets/*":
        return found({}); // tags of versions
      case "GET /examples":
        return found(
          searchParams.get("offset") === "0" ? matching(this.examples, "dataset_id", "dataset").body : [],
        );
      case "GET /examples/*":
      case "PATCH /examples/*":
        return byId(this.examples, id);
      case "GET /sessions":
        return matching(this.sessions, "name");
      case "POST /sessions":
        return created(this.sessions, { tenant_id: "tenant" });
      case "GET /sessions/*":
      case "PATCH /sessions/*":
        return byId(this.sessions, id);
    }
    this.unknown.push(`${method} ${request.url}`);
    return missing;
  }
}
