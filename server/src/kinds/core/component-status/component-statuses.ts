import type { Representation } from "@gatehouse/apiserver/http";
import type { ServedResource } from "@gatehouse/apiserver/registry";
import type { MaybePromise, RequestContext } from "@gatehouse/apiserver/request";
import { buildTable } from "@gatehouse/apiserver/tables";
import {
  checkListShape,
  includeObjectOf,
  objectRepresentation,
  parseListOptions,
  partialMetadata,
  respondWithObject,
  sendMetaKind,
  sendTyped,
  type VerbEnvironment,
  type VerbHandler,
} from "@gatehouse/apiserver/verbs";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import { askHealth, type ComponentHealth } from "./ask-health.js";

type AskHealth = (environment: VerbEnvironment, signal: AbortSignal) => Promise<ComponentHealth>;

/**
 * Components of a control plane by name. As v1.29 does, health is asked for on this machine (deprecated since v1.19,
 * still in use).
 */
const components: ReadonlyMap<string, AskHealth> = new Map<string, AskHealth>([
  ["scheduler", (_, signal) => askHealth("https://127.0.0.1:10259/healthz", signal)],
  ["controller-manager", (_, signal) => askHealth("https://127.0.0.1:10257/healthz", signal)],
  ["etcd-0", storeHealth],
]);

/** Handles GET of /componentstatuses/<name>. Throws 404 for an unknown component. */
export const getComponentStatus: VerbHandler = async ({ environment, context, served }) => {
  const representation = objectRepresentation(context, served);
  const { name } = context.info;
  const ask = components.get(name);
  if (ask === undefined) {
    throw new StatusError(404, "NotFound", `Component not found: ${name}`);
  }
  const status = componentStatus(name, await ask(environment, context.signal));
  await respondWithObject(context, served, 200, status, representation);
};

/** Handles GET of /componentstatuses. */
export const listComponentStatuses: VerbHandler = async ({ environment, context, served }) => {
  const representation = objectRepresentation(context, served);
  const { labelSelector, fieldSelector } = parseListOptions(context, served, false, false);
  // Components have names and no labels.
  const wanted = [...components].filter(
    ([name]) =>
      (labelSelector?.matches({}) ?? true) &&
      (fieldSelector?.matches((field) => (field === "metadata.name" ? name : "")) ?? true),
  );
  const objects = await Promise.all(
    wanted.map(async ([name, ask]) => componentStatus(name, await ask(environment, context.signal))),
  );
  checkListShape(representation, served);
  if (representation.as === "Table") {
    const table = buildTable({
      definition: served.table,
      gvk: served,
      objects,
      rows: served,
      includeObject: includeObjectOf(context),
      listMeta: {},
      version: representation.asVersion,
      context: { now: environment.now() },
    });
    return sendMetaKind(context, 200, table, representation);
  }
  if (representation.as !== undefined) {
    const items = objects.map((object) => partialMetadata(served.metadataOf(object), representation.asVersion));
    const apiVersion = `meta.k8s.io/${representation.asVersion}`;
    const list = { kind: "PartialObjectMetadataList", apiVersion, metadata: {}, items };
    return sendMetaKind(context, 200, list, representation);
  }
  return sendList(context, served, objects, representation);
};

function sendList(
  context: RequestContext,
  served: ServedResource,
  objects: readonly JsonObject[],
  representation: Representation,
): MaybePromise<void> {
  const items = objects.map(({ kind: _kind, apiVersion: _apiVersion, ...rest }) => rest);
  const list = { kind: served.listKind, apiVersion: served.apiVersion, metadata: {}, items };
  return sendTyped(
    context,
    200,
    list,
    { kind: served.listKind, apiVersion: served.apiVersion, schema: served.listSchema },
    representation,
  );
}

async function storeHealth(environment: VerbEnvironment): Promise<ComponentHealth> {
  const isHealthy = await environment.storeHealthy();
  return { isHealthy, message: isHealthy ? "ok" : "the store does not answer" };
}

function componentStatus(name: string, { isHealthy, message }: ComponentHealth): JsonObject {
  return {
    kind: "ComponentStatus",
    apiVersion: "v1",
    metadata: { name, creationTimestamp: null },
    conditions: [{ type: "Healthy", status: isHealthy ? "True" : "False", message }],
  };
}
