import { aggregatedMessage, apiGroupDiscoveryListDocument, versionDiscovery } from "./aggregated-document.js";
import { EncodedDocument } from "./encoded-document.js";
import {
  apiGroupDocument,
  apiGroupListDocument,
  apiResourceListDocument,
  apiVersionsDocument,
} from "./group-documents.js";
import { oncePer } from "./once-per.js";
import type { ServedApi, ServedGroup, ServedGroupVersion } from "./served-api.js";

/**
 * The documents of discovery, each made when first asked for and kept as long as the value it tells about: the document
 * of a group version that is part of the next ServedApi, too, is not made again.
 */
export interface DiscoveryDocuments {
  /** Returns the document of `/api`. */
  versions(api: ServedApi): EncodedDocument;
  /** Returns the document of `/apis`. */
  groups(api: ServedApi): EncodedDocument;
  /** Returns the document of `/apis/<group>`. */
  group(group: ServedGroup): EncodedDocument;
  /** Returns the document of `/api/v1` or `/apis/<group>/<version>`. */
  resources(served: ServedGroupVersion): EncodedDocument;
  /** Returns the document of `/api` with all resources at once. */
  aggregatedCore(api: ServedApi): EncodedDocument;
  /** Returns the document of `/apis` with all resources at once. */
  aggregatedNamed(api: ServedApi): EncodedDocument;
}

/** Keeps nothing but what is asked for. `onAggregated` is called when a document with all resources at once is made. */
export function discoveryDocuments(onAggregated: () => void = () => {}): DiscoveryDocuments {
  const versionOf = oncePer(versionDiscovery);
  const aggregated = (groups: readonly ServedGroup[]): EncodedDocument =>
    new EncodedDocument(aggregatedMessage, () => {
      onAggregated();
      return apiGroupDiscoveryListDocument(groups, versionOf);
    });
  return {
    versions: oncePer((api) => new EncodedDocument(metaMessage("APIVersions"), () => apiVersionsDocument(api))),
    groups: oncePer((api) => new EncodedDocument(metaMessage("APIGroupList"), () => apiGroupListDocument(api))),
    group: oncePer((group) => new EncodedDocument(metaMessage("APIGroup"), () => apiGroupDocument(group))),
    resources: oncePer(
      (served) => new EncodedDocument(metaMessage("APIResourceList"), () => apiResourceListDocument(served)),
    ),
    aggregatedCore: oncePer((api: ServedApi) => aggregated(api.groups.filter(({ name }) => name === ""))),
    aggregatedNamed: oncePer((api: ServedApi) => aggregated(api.groups.filter(({ name }) => name !== ""))),
  };
}

function metaMessage(kind: string): string {
  return `k8s.io.apimachinery.pkg.apis.meta.v1.${kind}`;
}
