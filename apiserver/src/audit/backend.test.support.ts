import type { HttpCaller, HttpRequest, HttpResponse } from "@gatehouse/component-base/http-client";
import type { AuditLosses } from "./audit-backend.js";
import { AuditEvent, type AuditEventInit } from "./audit-event.js";
import type { LineTarget } from "./group-writer.js";

/** An event with this ID, and whatever else it is to say. */
export function auditEvent(auditID: string, more: Partial<AuditEventInit> = {}): AuditEvent {
  return new AuditEvent({
    subject: {
      auditID,
      requestURI: "/api/v1/namespaces/default/pods",
      verb: "create",
      user: { username: "ann", groups: ["humans", "system:authenticated"] },
      sourceIPs: ["10.0.0.1"],
      userAgent: "test/1.0",
      receivedMicros: 1_700_000_000_123_456,
    },
    level: "Metadata",
    stage: "ResponseComplete",
    stageMicros: 1_700_000_000_123_999,
    ...more,
  });
}

/** Notes what was lost to what. */
export class NotedLosses implements AuditLosses {
  readonly noted: { readonly plugin: string; readonly count: number; readonly reason: string }[] = [];

  lost(plugin: string, count: number, reason: string): void {
    this.noted.push({ plugin, count, reason });
  }

  get count(): number {
    return this.noted.reduce((sum, { count }) => sum + count, 0);
  }
}

/** A receiver of a test's events: by lines, or by EventLists. It can be made to fail, or to be slow. */
export class Destination implements LineTarget, HttpCaller {
  /** The IDs of all events that were taken, in the order in which they came. */
  readonly taken: string[] = [];
  readonly requests: HttpRequest[] = [];
  /** Calls that fail before one succeeds; infinite for one that never does. */
  failures = 0;
  status = 503;
  delayMs = 0;

  async write(lines: Buffer): Promise<void> {
    await this.#mayFail();
    for (const line of lines.toString().split("\n").slice(0, -1)) {
      this.taken.push((JSON.parse(line) as { auditID: string }).auditID);
    }
  }

  async close(): Promise<void> {}

  async request(request: HttpRequest): Promise<HttpResponse> {
    this.requests.push(request);
    try {
      await this.#mayFail();
    } catch {
      return { status: this.status, headers: {}, body: Buffer.alloc(0) };
    }
    const list = JSON.parse(String(request.body)) as { items: { auditID: string }[] };
    this.taken.push(...list.items.map(({ auditID }) => auditID));
    return { status: 200, headers: {}, body: Buffer.alloc(0) };
  }

  requestJson(): Promise<never> {
    throw new Error("events are sent as bytes");
  }

  async #mayFail(): Promise<void> {
    await new Promise((resolve) => setTimeout(resolve, this.delayMs));
    if (this.failures > 0) {
      this.failures--;
      throw new Error("no space left");
    }
  }
}
