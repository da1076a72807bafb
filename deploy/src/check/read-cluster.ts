import { CommandError } from "@gatehouse/component-base/errors";
import { createHttpClient, type HttpClient } from "@gatehouse/component-base/http-client";
import { loadKubeconfig } from "@gatehouse/component-base/kubeconfig";
import type { SourceDocument } from "@gatehouse/component-base/manifests";
import { encodeJson } from "@gatehouse/envelopes/codec";
import { isJsonObject, isSet, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import type { CheckAnswer, JudgingServer } from "./judging-server.js";
import { ServedKinds } from "./served-kinds.js";
import { warningsIn } from "./warnings-in.js";

const requestTimeoutMs = 30_000;
const pageSize = 500;
const maxPageBytes = 256 * 1024 * 1024;

/** Kinds that decide about other objects, each with the versions that are looked for, and the version that is made. */
const kindsInForce: readonly (readonly [kind: string, version: string, laterVersions?: readonly string[]])[] = [
  ["Namespace", "v1"],
  ["CustomResourceDefinition", "apiextensions.k8s.io/v1"],
  ["PriorityClass", "scheduling.k8s.io/v1"],
  ["StorageClass", "storage.k8s.io/v1"],
  ["IngressClass", "networking.k8s.io/v1"],
  ["RuntimeClass", "node.k8s.io/v1"],
  ["LimitRange", "v1"],
  ["ResourceQuota", "v1"],
  ["ServiceAccount", "v1"],
  // Servers of later releases may not serve the version of v1.29 any more; the content is the same.
  ["ValidatingAdmissionPolicy", "admissionregistration.k8s.io/v1beta1", ["admissionregistration.k8s.io/v1"]],
  ["ValidatingAdmissionPolicyBinding", "admissionregistration.k8s.io/v1beta1", ["admissionregistration.k8s.io/v1"]],
];

/** The objects of a cluster that decide about manifests. */
export interface ClusterInForce {
  readonly documents: readonly SourceDocument[];
  /** Names of the webhook configurations, which a check does not ask: `ValidatingWebhookConfiguration name`. */
  readonly webhooks: readonly string[];
}

/**
 * Reads from a cluster what decides about manifests: definitions, namespaces, classes, limits, policies and their
 * parameters; never secrets. Rejects with CommandError for what the cluster does not let the user read, and with
 * ConfigurationError or HttpClientError when it cannot be asked.
 */
export async function readCluster(kubeconfig: string, context: string | undefined): Promise<ClusterInForce> {
  const config = await loadKubeconfig(kubeconfig, context === undefined ? {} : { context });
  using client = createHttpClient({ config, userAgent: "gatehouse-check" });
  const server = serverOf(client);
  const kinds = await ServedKinds.discover(server);
  const list = (apiVersion: string, kind: string) => listObjects(server, kinds, apiVersion, kind);
  const found: JsonObject[] = [];
  for (const [kind, version, laterVersions = []] of kindsInForce) {
    const served = [version, ...laterVersions].find((each) => kinds.find(each, kind) !== undefined);
    const objects = served === undefined ? [] : await list(served, kind);
    found.push(...objects.map((object) => ({ ...object, apiVersion: version, kind })));
  }
  for (const [apiVersion, kind] of parameterKinds(found)) {
    found.push(...(await list(apiVersion, kind)));
  }
  const hooks = await Promise.all(
    ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"].map(async (kind) =>
      (await list("admissionregistration.k8s.io/v1", kind)).map(
        (object) => `${kind} ${textAt(object, "metadata", "name")}`,
      ),
    ),
  );
  return { documents: found.filter(isNoPart).map(documentOf), webhooks: hooks.flat() };
}

function serverOf(client: HttpClient): JudgingServer {
  return {
    async send({ path, accept = "application/json" }): Promise<CheckAnswer> {
      const signal = new AbortController().signal;
      const { status, body, headers } = await client.requestJson({
        path,
        headers: { accept },
        signal,
        timeoutMs: requestTimeoutMs,
        maxResponseBytes: maxPageBytes,
      });
      return { status, body: isJsonObject(body) ? body : {}, warnings: warningsIn(headers["warning"]) };
    },
  };
}

async function listObjects(
  server: JudgingServer,
  kinds: ServedKinds,
  apiVersion: string,
  kind: string,
): Promise<readonly JsonObject[]> {
  const served = kinds.find(apiVersion, kind);
  if (served === undefined) {
    return [];
  }
  const objects: JsonObject[] = [];
  let next = "";
  do {
    const path = `${served.root}/${served.resource}?limit=${pageSize}&continue=${encodeURIComponent(next)}`;
    const { status, body } = await server.send({ path });
    if (status !== 200) {
      throw new CommandError(`--against: the cluster does not list ${served.resource}: ${textAt(body, "message")}`);
    }
    objects.push(
      ...listAt(body, "items")
        .filter(isJsonObject)
        .map((item) => ({ ...item, apiVersion, kind })),
    );
    next = textAt(body, "metadata", "continue");
  } while (next !== "");
  return objects;
}

/** Returns the kinds of the parameters that policies take; secrets stay where they are. */
function parameterKinds(objects: readonly JsonObject[]): ReadonlyMap<string, string> {
  const kinds = objects
    .filter((object) => object["kind"] === "ValidatingAdmissionPolicy" && isSet(object, "spec", "paramKind"))
    .map((policy) => objectAt(policy, "spec", "paramKind"))
    .map((kind) => [textAt(kind, "apiVersion"), textAt(kind, "kind")] as const);
  return new Map(kinds.filter(([apiVersion, kind]) => !(apiVersion === "v1" && kind === "Secret")));
}

/** Reports whether an object is none that every server makes itself. */
function isNoPart({ kind, metadata }: JsonObject): boolean {
  const name = textAt(metadata, "name");
  return (
    !(kind === "PriorityClass" && name.startsWith("system-")) && !(kind === "ServiceAccount" && name === "default")
  );
}

/** Returns an object as somebody would create it, without what a server has written. */
function documentOf({ apiVersion = "", kind = "", metadata, status: _, ...content }: JsonObject): SourceDocument {
  const { name, namespace, labels, annotations } = isJsonObject(metadata) ? metadata : {};
  const own = Object.fromEntries(
    Object.entries({ name, namespace, labels, annotations }).filter(([, value]) => value !== undefined),
  );
  const object = { apiVersion, kind, metadata: own as JsonObject, ...content };
  return { file: "cluster", line: 1, text: encodeJson(object), content: object };
}
