import { HttpClientError } from "@gatehouse/component-base/errors";
import { goErrorText } from "@gatehouse/component-base/http-client";
import type { MetricsRegistry } from "@gatehouse/component-base/metrics";

/** Names of the metrics of a kind of servers whose certificate is refused. */
export interface CertificateFaultNames {
  /** Counts certificates that name their server only in the subject. */
  readonly missingSan: string;
  /** Counts certificates that are signed with SHA-1. */
  readonly insecureSha1: string;
}

/** Registers the metrics of servers whose certificate is refused. Returns a function that counts a failed call. */
export function certificateFaultMetrics(
  registry: MetricsRegistry,
  names: CertificateFaultNames,
): (error: unknown) => void {
  const missing = registry
    .counter({
      name: names.missingSan,
      help: "Calls refused since the server's certificate names it only in its subject.",
    })
    .labels({});
  const weak = registry
    .counter({
      name: names.insecureSha1,
      help: "Calls refused since the server's certificate is signed with SHA-1.",
    })
    .labels({});
  return (error) => {
    if (error instanceof HttpClientError) {
      const text = goErrorText(error);
      if (text.includes("relies on legacy Common Name field")) {
        missing.inc();
      } else if (/insecure algorithm (?:SHA1|ECDSA-SHA1)/.test(text)) {
        weak.inc();
      }
    }
  };
}
