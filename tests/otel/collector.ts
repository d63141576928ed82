/** A collector on loopback that keeps the bodies of exports of OpenTelemetry's SDK. */

import { context, trace } from "@opentelemetry/api";
import { AsyncLocalStorageContextManager } from "@opentelemetry/context-async-hooks";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { BasicTracerProvider, SimpleSpanProcessor } from "@opentelemetry/sdk-trace-base";
import { type Handle, serve } from "./http.ts";

export interface Collector {
  /** The SDK, as the global one as well. */
  provider: BasicTracerProvider;
  /** The received data, once everything has been sent. */
  bodies(): Promise<string[]>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** An SDK with the official exporter. */
export async function collector(): Promise<Collector> {
  const bodies: string[] = [];
  const take: Handle = ({ path, body, headers }) => {
    if (path !== "/v1/traces" || headers["content-type"] !== "application/json") return { status: 400 };
    bodies.push(body);
    return { json: {} };
  };
  const server = await serve(take);
  const exporter = new OTLPTraceExporter({ url: `${server.url}/v1/traces` });
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  return {
    provider,
    bodies: async () => {
      await provider.forceFlush();
      return bodies;
    },
    [Symbol.asyncDispose]: async () => {
      trace.disable();
      context.disable();
      await provider.shutdown();
      await server[Symbol.asyncDispose]();
    },
  };
}
