import type { HttpCaller } from "@gatehouse/component-base/http-client";
import type { apidiscoveryV2beta1 } from "@gatehouse/envelopes/types";

/** A resource as rules name it. */
export interface NamedResource {
  readonly group: string;
  readonly resource: string;
  readonly isNamespaced: boolean;
}

const accept = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";
const timeoutMs = 10_000;

/**
 * Returns the resource that `deployments`, `deploy`, `deployments.apps` or `*` stands for at the server. A name that it
 * does not serve is taken as written: rules may be about resources that are not served yet.
 */
export async function resolveResource(client: HttpCaller, text: string): Promise<NamedResource> {
  const dot = text.indexOf(".");
  const [name, group] = dot < 0 ? [text, undefined] : [text.slice(0, dot), text.slice(dot + 1)];
  for (const path of ["/api", "/apis"]) {
    for (const item of await groupsAt(client, path)) {
      const itsGroup = item.metadata?.name ?? "";
      for (const { resources = [] } of group === undefined || group === itsGroup ? (item.versions ?? []) : []) {
        const found = resources.find((resource) => isCalled(resource, name));
        if (found !== undefined) {
          return { group: itsGroup, resource: found.resource ?? name, isNamespaced: found.scope !== "Cluster" };
        }
      }
    }
  }
  return { group: group ?? "", resource: name, isNamespaced: true };
}

function isCalled(resource: apidiscoveryV2beta1.APIResourceDiscovery, name: string): boolean {
  const { resource: plural, singularResource, shortNames = [] } = resource;
  return [plural, singularResource, ...shortNames].includes(name);
}

async function groupsAt(client: HttpCaller, path: string): Promise<readonly apidiscoveryV2beta1.APIGroupDiscovery[]> {
  const signal = AbortSignal.timeout(timeoutMs);
  const { status, body } = await client.requestJson({ path, headers: { accept }, signal, timeoutMs });
  return status === 200 ? ((body as apidiscoveryV2beta1.APIGroupDiscoveryList).items ?? []) : [];
}
