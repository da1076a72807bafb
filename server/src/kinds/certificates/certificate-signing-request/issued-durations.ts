import { X509Certificate } from "node:crypto";
import { emptyTransaction, type WriteTransactions } from "@gatehouse/apiserver/registry";
import { type Counter, type Labelled, type MetricsRegistry, onFirstUse } from "@gatehouse/component-base/metrics";
import { pemBlocks } from "@gatehouse/component-base/pki";
import { integerAt, isSet, type JsonObject, textAt } from "@gatehouse/envelopes/json";

/** Seconds by which a certificate may be shorter or longer than asked for, beside a twentieth of what was asked for. */
const toleratedSeconds = 300;

/**
 * Returns transactions that count the certificates that are issued to requests with a duration, and those of them that last as
 * long, under v1.29's names (KEP-2784).
 */
export function countIssuedDurations(registry: MetricsRegistry): WriteTransactions {
  const counter = (name: string, help: string): (() => Labelled<"signerName", Counter>) =>
    onFirstUse(() =>
      registry.counter({ name: `apiserver_certificates_registry_${name}`, help, labelNames: ["signerName"] }),
    );
  const requested = counter("csr_requested_duration_total", "Certificates issued to requests that state a duration.");
  const honored = counter(
    "csr_honored_duration_total",
    "Certificates issued for about the duration that was requested.",
  );
  return {
    subresource: "status",
    beginCreate: async () => emptyTransaction,
    afterDelete: async () => {},
    async beginUpdate(request, old, { dryRun }) {
      if (dryRun || !isIssuedNow(request, old) || !isSet(old, "spec", "expirationSeconds")) {
        return emptyTransaction;
      }
      return {
        ...emptyTransaction,
        async commit() {
          const signerName = signerLabel(textAt(old, "spec", "signerName"));
          requested().labels({ signerName }).inc();
          if (isHonored(request, Number(integerAt(old, "spec", "expirationSeconds")))) {
            honored().labels({ signerName }).inc();
          }
        },
      };
    },
  };
}

function isIssuedNow(request: JsonObject, old: JsonObject): boolean {
  return textAt(request, "status", "certificate") !== "" && textAt(old, "status", "certificate") === "";
}

/** Returns the signer for those of Kubernetes; there can be any number of others. */
function signerLabel(name: string): string {
  return name.startsWith("kubernetes.io/") ? name : "other";
}

function isHonored(request: JsonObject, wantedSeconds: number): boolean {
  const [first] = pemBlocks(Buffer.from(textAt(request, "status", "certificate"), "base64").toString("latin1"));
  // Validation has let only certificates in.
  const issued = new X509Certificate(first?.der ?? Buffer.alloc(0));
  const seconds = (Date.parse(issued.validTo) - Date.parse(issued.validFrom)) / 1000;
  return Math.abs(seconds - wantedSeconds) < toleratedSeconds + wantedSeconds / 20;
}
