import type { MetricsRegistry } from "@gatehouse/component-base/metrics";

/** The change of a definition that makes OpenAPI documents out of date. */
export type DocumentChange = "add" | "update" | "remove";

/** Counts a change of a definition, whose versions' documents are made anew when they are next read. */
export type OnDocumentChange = (
  crd: string,
  change: DocumentChange,
  versions: readonly { readonly group: string; readonly version: string }[],
) => void;

/** Registers the metrics of the OpenAPI documents of custom resources, under v1.29's names. */
export function documentMetrics(registry: MetricsRegistry): OnDocumentChange {
  const v2 = registry.counter({
    name: "apiextensions_openapi_v2_regeneration_count",
    help: "Changes of definitions that the OpenAPI v2 document follows, by definition and change.",
    labelNames: ["crd", "reason"],
  });
  const v3 = registry.counter({
    name: "apiextensions_openapi_v3_regeneration_count",
    help: "Changes of definitions that OpenAPI v3 documents follow, by group version, definition and change.",
    labelNames: ["group", "version", "crd", "reason"],
  });
  return (crd, reason, versions) => {
    v2.labels({ crd, reason }).inc();
    for (const { group, version } of versions) {
      v3.labels({ group, version, crd, reason }).inc();
    }
  };
}
