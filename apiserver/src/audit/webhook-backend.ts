import { pause } from "@gatehouse/component-base/time";
import type { AuditBackend, AuditLosses } from "./audit-backend.js";
import type { AuditEvent } from "./audit-event.js";
import { retryDelayMs, webhookTries } from "./retry-delays.js";
import type { WebhookCaller } from "./webhook-caller.js";

/** Options for repeated calls of a webhook. */
export interface WebhookOptions {
  /** The delay in milliseconds before the second try; delays grow from there. */
  readonly initialBackoffMs: number;
  /** The signal after which no further try is made. */
  readonly signal: AbortSignal;
  readonly losses: AuditLosses;
}

/** Sends events to a webhook: whatever goes wrong, five times, as from v1.29. */
export class WebhookBackend implements AuditBackend {
  readonly name = "webhook";
  readonly #caller: WebhookCaller;
  readonly #options: WebhookOptions;

  constructor(caller: WebhookCaller, options: WebhookOptions) {
    this.#caller = caller;
    this.#options = options;
  }

  async process(events: readonly AuditEvent[]): Promise<boolean> {
    const { initialBackoffMs, signal, losses } = this.#options;
    const items = events.map(({ item }) => item);
    for (let tried = 1; ; tried++) {
      try {
        await this.#caller.post(items);
        return true;
      } catch (error) {
        if (tried === webhookTries || signal.aborted) {
          losses.lost(this.name, events.length, error instanceof Error ? error.message : String(error));
          return false;
        }
      }
      await pause(retryDelayMs(initialBackoffMs, tried), signal);
    }
  }

  async close(): Promise<void> {}
}
