/** Collects results, and sends them to an endpoint, one request at a time. */

import { OpenEvalsError, reasonOf } from "../../../core/errors.js";
import { show } from "../../../core/input/checks.js";
import { ABANDONED_AFTER_MS } from "../../../core/platform/queue.js";
import { type PendingTask, Tasks } from "../../../core/platform/tasks.js";
import { __version__ } from "../../../version.js";
import { type Delivery, deliver } from "./delivery.js";
import type { EventAttributes } from "./event.js";
import { payloadOf, type ScoredSpan, type WaitingEvent } from "./payload.js";

/** Counts of results. */
export interface ExportReport {
  sent: number;
  /** Results whose request failed after all retries, or that the endpoint rejected. */
  failed: number;
  /** Results that did not fit into the queue. */
  dropped: number;
  /** The last failure. */
  error?: OpenEvalsError;
}

/** How results are sent, and how many wait for how long. */
export interface OutboxOptions {
  delivery: Delivery;
  resource: Record<string, string>;
  maxBatchSize: number;
  maxQueueSize: number;
  delayMs: number;
  reportError(error: OpenEvalsError): void;
}

/** Results that wait to be sent. */
export class Outbox {
  readonly #options: OutboxOptions;
  readonly #report: ExportReport = { sent: 0, failed: 0, dropped: 0 };
  #waiting: WaitingEvent[] = [];
  /** The number of results that each sender is sending. */
  readonly #sending = new Map<PendingTask, number>();
  readonly #senders = new Tasks((sender) => {
    const problem = "Results may not have arrived: the request that sent them ended before the answer.";
    const error = new OpenEvalsError("aborted", `${problem} Pass exporter.flush() to ctx.waitUntil().`);
    this.#failed(error, this.#sending.get(sender) ?? 0);
    this.#sending.delete(sender);
  });
  /** Whether it was reported that results are dropped; again after the next request. */
  #reportedFull = false;
  #timer: unknown;
  /** When the timer fires. */
  #timerDueAt = -Infinity;

  constructor(options: OutboxOptions) {
    this.#options = options;
  }

  /** Queues events, and sends them soon. */
  add(events: readonly EventAttributes[], about: ScoredSpan): void {
    const { maxBatchSize, maxQueueSize } = this.#options;
    for (const attributes of events) {
      if (this.#waiting.length < maxQueueSize) this.#waiting.push({ attributes, about, time: Date.now() });
      else this.#dropped();
    }
    if (this.#waiting.length >= maxBatchSize) this.#sendUnlessSending();
    else this.#sendLater();
  }

  #sendLater(): void {
    const { delayMs } = this.#options;
    const now = performance.now();
    // On edge runtimes, a timer never fires if its request has ended.
    if (this.#waiting.length === 0 || this.#timerDueAt >= now - ABANDONED_AFTER_MS) return;
    this.#timer = setTimeout(() => this.#sendUnlessSending(), delayMs);
    this.#timerDueAt = now + delayMs;
    // The timer must not keep the process alive.
    (this.#timer as { unref?(): void }).unref?.();
  }

  #dropped(): void {
    this.#report.dropped++;
    if (this.#reportedFull) return;
    this.#reportedFull = true;
    const problem = `Results are dropped, because ${this.#options.maxQueueSize} are waiting to be sent.`;
    const advice = "Set a larger maxQueueSize, or add fewer results at a time.";
    this.#options.reportError(new OpenEvalsError("rate_limited", `${problem} ${advice}`));
  }

  /** Sends the events that wait now, and waits for all senders that have begun. Never rejects. */
  async flush(): Promise<ExportReport> {
    this.#sendWaiting();
    await this.#senders.idle();
    return { ...this.#report };
  }

  /** Only `flush()` sends beside another sender, which may be of a request that ends. */
  #sendUnlessSending(): void {
    this.#timerDueAt = -Infinity;
    this.#senders.check();
    if (this.#sending.size === 0) this.#sendWaiting();
  }

  /** Sends as many events as wait now. The timer sends those that are added meanwhile. */
  #sendWaiting(): void {
    clearTimeout(this.#timer as Parameters<typeof clearTimeout>[0]);
    this.#timerDueAt = -Infinity;
    let left = this.#waiting.length;
    this.#senders.start(async (sender) => {
      while (left > 0 && this.#waiting.length) {
        const batch = this.#waiting.splice(0, Math.min(left, this.#options.maxBatchSize));
        left -= batch.length;
        this.#reportedFull = false;
        this.#sending.set(sender, batch.length);
        await this.#send(batch);
      }
      this.#sending.delete(sender);
      this.#sendLater();
    });
  }

  async #send(events: readonly WaitingEvent[]): Promise<void> {
    const { delivery, resource, reportError } = this.#options;
    try {
      const receipt = await deliver(payloadOf(events, resource, __version__), delivery);
      const rejected = Math.min(receipt.rejected, events.length);
      this.#report.sent += events.length - rejected;
      const reason = receipt.message && `: ${show(receipt.message)}`;
      const error = (outcome: string) =>
        new OpenEvalsError("provider_error", `The endpoint ${outcome}${reason}.`);
      if (rejected) this.#failed(error(`rejected ${rejected} of ${events.length} results`), rejected);
      else if (reason) reportError(error("accepted all results, with a warning"));
    } catch (thrown) {
      const unexpected = () =>
        new OpenEvalsError("provider_error", `Results could not be sent: ${reasonOf(thrown)}`);
      this.#failed(thrown instanceof OpenEvalsError ? thrown : unexpected(), events.length);
    }
  }

  #failed(error: OpenEvalsError, count: number): void {
    this.#report.failed += count;
    this.#report.error = error;
    this.#options.reportError(error);
  }
}
