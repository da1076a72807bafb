import type { ApiClient } from "../../spec/support/api-client.js";
import { assertCode } from "../../spec/support/assert-status.js";

/** A resource as discovery announces it. */
export interface AnnouncedResource {
  readonly group: string;
  readonly version: string;
  readonly apiVersion: string;
  readonly resource: string;
  readonly kind: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
}

interface DiscoveryDocument {
  readonly items: readonly {
    readonly metadata: { readonly name?: string };
    readonly versions: readonly {
      readonly version: string;
      readonly resources: readonly {
        readonly resource: string;
        readonly responseKind: { readonly kind: string };
        readonly scope: "Namespaced" | "Cluster";
        readonly verbs: readonly string[];
        readonly subresources?: readonly { readonly subresource: string }[];
      }[];
    }[];
  }[];
}

/** Returns all resources that the server announces, in the order of discovery. */
export async function announcedResources(client: ApiClient): Promise<readonly AnnouncedResource[]> {
  const found: AnnouncedResource[] = [];
  for (const path of ["/api", "/apis"]) {
    const answer = await client.get(path, {
      accept: "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList",
    });
    assertCode(answer, 200);
    for (const item of (answer.document as unknown as DiscoveryDocument).items) {
      const group = item.metadata.name ?? "";
      for (const { version, resources } of item.versions) {
        for (const { resource, responseKind, scope, verbs, subresources } of resources) {
          found.push({
            group,
            version,
            apiVersion: group === "" ? version : `${group}/${version}`,
            resource,
            kind: responseKind.kind,
            namespaced: scope === "Namespaced",
            verbs,
            subresources: (subresources ?? []).map(({ subresource }) => subresource),
          });
        }
      }
    }
  }
  return found;
}
