import { objectsInMemory, singleForms } from "@gatehouse/apiserver/admission/testing";
import type { ConfigDocument } from "@gatehouse/component-base/config-documents";
import { createMetricsRegistry } from "@gatehouse/component-base/metrics";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { PendingCharges } from "../quota/pending-charges.js";
import type { PluginParts } from "./plugin-parts.js";

/** The parts of a plugin in a test: objects by resource (`apps/deployments`, `pods`), denials, the configuration. */
export interface TestParts extends Partial<Omit<PluginParts, "objects" | "configuration">> {
  readonly objects?: Readonly<Record<string, readonly JsonObject[]>>;
  readonly configuration?: JsonObject;
}

export function testParts({ objects = {}, configuration, ...parts }: TestParts = {}): PluginParts {
  const document: ConfigDocument | undefined =
    configuration === undefined ? undefined : { subject: "test.yaml", folder: "/", content: configuration };
  return {
    objects: objectsInMemory(objects),
    objectSource: { follow: async () => {}, read: async () => [] },
    forms: singleForms,
    serviceAddresses: () => Promise.reject(new Error("no services here")),
    failedOpen: () => {},
    authorizer: { authorize: () => ({ decision: "allow", reason: "" }) },
    mayDo: () => ({ isAllowed: true, reason: "" }),
    pendingCharges: new PendingCharges(Date.now),
    features: { enabled: () => false },
    settings: {
      notReadyTolerationSeconds: 300,
      unreachableTolerationSeconds: 300,
      webhookDeadlineBudget: false,
      webhookBreaker: false,
    },
    configuration: document,
    now: Date.now,
    metrics: createMetricsRegistry({ processMetrics: false }),
    signal: new AbortController().signal,
    reportFault: (error) => {
      throw error;
    },
    ...parts,
  };
}
