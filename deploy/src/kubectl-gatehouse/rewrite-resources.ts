import { CommandError } from "@gatehouse/component-base/errors";
import type { HttpCaller } from "@gatehouse/component-base/http-client";
import type { apidiscoveryV2beta1 } from "@gatehouse/envelopes/types";

/** A resource to be rewritten. */
export interface RewrittenResource {
  /** The name as configurations of encryption spell it: `secrets`, `deployments.apps`. */
  readonly name: string;
  /** The path of all objects, `/apis/apps/v1/deployments`. */
  readonly path: string;
  readonly isNamespaced: boolean;
}

const accept = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";
const timeoutMs = 30_000;
const maxDiscoveryBytes = 64 * 1024 * 1024;

/**
 * Returns the resources that patterns stand for, as in a configuration of encryption: `secrets`, `deployments.apps`,
 * `*.apps` for a group, `*.` for the core group, `*.*` for all. Rejects with a CommandError for one that stands for none.
 */
export async function resourcesToRewrite(
  client: HttpCaller,
  patterns: readonly string[],
): Promise<readonly RewrittenResource[]> {
  const served = [...(await resourcesAt(client, "/api")), ...(await resourcesAt(client, "/apis"))];
  const selected = new Set<RewrittenResource>();
  for (const pattern of patterns) {
    const matching = served.filter(({ name }) => matches(pattern, name));
    if (matching.length === 0) {
      throw new CommandError(`the server has no resource ${JSON.stringify(pattern)} that can be listed and patched`);
    }
    for (const resource of matching) {
      selected.add(resource);
    }
  }
  return served.filter((resource) => selected.has(resource));
}

function matches(pattern: string, name: string): boolean {
  if (pattern === "*.*" || pattern === name) {
    return true;
  }
  const group = name.includes(".") ? name.slice(name.indexOf(".") + 1) : "";
  return pattern === `*.${group}`;
}

async function resourcesAt(client: HttpCaller, path: "/api" | "/apis"): Promise<readonly RewrittenResource[]> {
  const signal = AbortSignal.timeout(timeoutMs);
  const request = { path, headers: { accept }, signal, timeoutMs, maxResponseBytes: maxDiscoveryBytes };
  const { status, body } = await client.requestJson(request);
  if (status !== 200) {
    throw new CommandError(`the server does not tell its resources: ${path} answers ${status}`);
  }
  const { items = [] } = body as apidiscoveryV2beta1.APIGroupDiscoveryList;
  return items.flatMap((group) => {
    const groupName = group.metadata?.name ?? "";
    const [preferred] = group.versions ?? [];
    // Events are stored once, and are served by the core group, too.
    return preferred === undefined || groupName === "events.k8s.io" ? [] : resourcesOf(groupName, preferred);
  });
}

function resourcesOf(
  group: string,
  { version = "", resources = [] }: apidiscoveryV2beta1.APIVersionDiscovery,
): readonly RewrittenResource[] {
  const base = group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
  return resources
    .filter(({ verbs = [] }) => verbs.includes("list") && verbs.includes("patch"))
    .map(({ resource = "", scope }) => ({
      name: group === "" ? resource : `${resource}.${group}`,
      path: `${base}/${resource}`,
      isNamespaced: scope !== "Cluster",
    }));
}
