import { createHttpClient } from "@gatehouse/component-base/http-client";
import type { ControlPlaneCertificates } from "@gatehouse/testing/certificates";

/** Amount and destination of the events to send. */
export interface EventSenderOptions {
  readonly pki: ControlPlaneCertificates;
  readonly port: number;
  /** Reports whether to send one more batch after so many. */
  readonly goOn: (batches: number) => boolean;
  readonly eventsInBatch: number;
  readonly connections: number;
  /** Called for each unsuccessful answer; returns to go on, or throws. */
  readonly onRefused?: (status: number, body: string) => void;
  /** Waits before each batch, in milliseconds. Default none. */
  readonly paceMs?: number;
}

const retryMs = 25;

/**
 * Sends numbered batches and sends each again until it is acknowledged, as a sender with a spool does. Resolves to the
 * auditIDs, all of which have been acknowledged then.
 */
export async function sendEvents(options: EventSenderOptions): Promise<readonly string[]> {
  const { pki, port, goOn, connections, eventsInBatch } = options;
  const certificate = await pki.clientCertificate("sender", []);
  using client = createHttpClient({
    config: {
      server: new URL(`https://127.0.0.1:${port}`),
      certificateAuthorityPem: pki.authority.certificatePem,
      insecureSkipTlsVerify: false,
      clientCertificate: certificate,
    },
    maxConnections: connections,
  });
  let next = 0;
  const acknowledged: string[] = [];
  const work = async (): Promise<void> => {
    while (goOn(next)) {
      const number = next++;
      const ids = Array.from({ length: eventsInBatch }, (_, index) => `batch-${number}-event-${index}`);
      await sendUntilTaken(number, ids);
      acknowledged.push(...ids);
    }
  };

  async function sendUntilTaken(number: number, ids: readonly string[]): Promise<void> {
    const body = JSON.stringify({
      kind: "EventList",
      apiVersion: "audit.k8s.io/v1",
      metadata: {},
      items: ids.map((auditID) => event(auditID)),
    });
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, options.paceMs ?? 0));
      const answer = await client
        .request({
          method: "POST",
          path: "/audit",
          headers: {
            "content-type": "application/json",
            "gatehouse-audit-source": "test-1",
            "gatehouse-audit-sequence": String(number * eventsInBatch),
          },
          body,
          signal: new AbortController().signal,
          timeoutMs: 10_000,
        })
        .catch(() => undefined);
      if (answer?.status === 200) {
        return;
      }
      if (answer !== undefined) {
        options.onRefused?.(answer.status, answer.body.toString());
      }
      await new Promise((resolve) => setTimeout(resolve, retryMs));
    }
  }

  await Promise.all(Array.from({ length: connections }, work));
  return acknowledged;
}

function event(auditID: string): object {
  // An index forgets what is older than a week.
  const time = new Date().toISOString().replace("Z", "000Z");
  return {
    level: "Metadata",
    auditID,
    stage: "ResponseComplete",
    requestURI: "/api/v1/namespaces/default/configmaps",
    verb: "list",
    user: { username: "alice", groups: ["system:authenticated"] },
    userAgent: "test".repeat(50),
    responseStatus: { metadata: {}, code: 200 },
    requestReceivedTimestamp: time,
    stageTimestamp: time,
  };
}
