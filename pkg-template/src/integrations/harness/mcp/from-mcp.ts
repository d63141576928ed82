import { invalidConfig, OpenEvalsError, reasonOf, typedWork } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";

/** The client of an MCP server: `Client` of `@modelcontextprotocol/sdk`, connected. */
export interface McpClient {
  listTools(params?: any): PromiseLike<{ tools: readonly any[]; nextCursor?: string | undefined }>;
  callTool(params: any): PromiseLike<any>;
}

/** A tool as its server describes it. A type alias, so that it is also a `Record`. */
export type McpTool = {
  name: string;
  description?: string;
  /** The JSON schema of its arguments. */
  inputSchema: Record<string, any>;
  annotations?: Record<string, any>;
};

/** The tools of an MCP server, as policies, checks, mocks and recordings take them. */
export interface McpTools {
  /** The tools, in the order of the server. */
  tools: McpTool[];
  /** The schemas of arguments by tool, for `args` of `createToolPolicy`. */
  args: Record<string, Record<string, any>>;
  /**
   * The tools that may make permanent changes, for `confirm` of `createToolPolicy`: all but those with `readOnlyHint: true` or
   * `destructiveHint: false`. These hints come from the server and may be wrong.
   */
  destructive: string[];
  /** Functions that call the tools, for {@link recordTools}. They return the result of the server: `{ content, isError? }`. */
  functions: Record<string, (args?: Record<string, any>) => Promise<any>>;
}

/**
 * Reads the tools of an MCP server, so that you do not have to write their schemas again.
 *
 * @param client A connected client.
 * @throws {@link OpenEvalsError} `invalid_config` for anything else, and `tool_failed` if the server cannot list its tools.
 *
 * @example
 * ```ts
 * import { createToolPolicy } from "openevals-wasm/agents";
 * import { fromMcp } from "openevals-wasm/harness";
 *
 * // In your code: a connected Client of @modelcontextprotocol/sdk.
 * const client = {
 *   listTools: async () => ({ tools: [{ name: "search", inputSchema: { type: "object", required: ["q"] } }] }),
 *   callTool: async () => ({ content: [] }),
 * };
 * const { tools, args } = await fromMcp(client);
 * const policy = createToolPolicy({ allow: tools.map(({ name }) => name), args });
 * const { comment } = await policy.check({ name: "search", args: {} });
 * console.log(comment); // search is called with wrong arguments: …
 * ```
 */
export const fromMcp = (client: McpClient): Promise<McpTools> => typedWork("fromMcp", () => toolsOf(client));

async function toolsOf(client: McpClient): Promise<McpTools> {
  if (typeof client?.listTools !== "function" || typeof client.callTool !== "function") {
    throw invalidConfig(
      `fromMcp needs a connected client with listTools and callTool, and got ${show(client)}`,
    );
  }
  const tools = await listAllTools(client);
  const byName = <Value>(read: (tool: McpTool) => Value) =>
    Object.fromEntries(tools.map((tool) => [tool.name, read(tool)]));
  return {
    tools,
    args: byName(({ inputSchema }) => inputSchema),
    destructive: tools
      .filter(
        ({ annotations }) => annotations?.readOnlyHint !== true && annotations?.destructiveHint !== false,
      )
      .map(({ name }) => name),
    functions: byName(
      ({ name }) =>
        async (args = {}) =>
          client.callTool({ name, arguments: args }),
    ),
  };
}

/** The most pages that are read, for servers whose list never ends. */
const MAX_PAGES = 1_000;

function checkedTool(tool: McpTool, seen: Set<string>): McpTool {
  const { name } = Object(tool) as Partial<McpTool>;
  if (typeof name !== "string" || !name) throw new TypeError("it lists a tool without a name");
  // Policies would read it as a pattern.
  if (name.includes("*")) throw new TypeError(`it lists a tool with * in its name, ${show(name)}`);
  if (seen.has(name)) throw new TypeError(`it lists ${show(name)} twice`);
  seen.add(name);
  return tool;
}

async function listAllTools(client: McpClient): Promise<McpTool[]> {
  const tools: McpTool[] = [];
  const cursors = new Set<string | undefined>();
  const names = new Set<string>();
  try {
    for (let cursor: string | undefined; !cursors.has(cursor); ) {
      cursors.add(cursor);
      if (cursors.size > MAX_PAGES) throw new RangeError(`it has more than ${MAX_PAGES} pages`);
      const page = await client.listTools(cursor === undefined ? undefined : { cursor });
      for (const tool of page.tools) {
        tools.push(checkedTool(tool, names));
      }
      if (page.nextCursor === undefined) return tools;
      cursor = page.nextCursor;
    }
  } catch (cause) {
    const problem = `The MCP server cannot list its tools: ${reasonOf(cause)}`;
    throw new OpenEvalsError("tool_failed", problem, { cause });
  }
  throw new OpenEvalsError("tool_failed", "The MCP server lists its tools without end: it repeats a cursor.");
}
