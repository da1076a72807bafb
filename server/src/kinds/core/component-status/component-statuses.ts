import { type JsonObject, kindSchema, notFound } from "@gatehouse/envelopes";
import type { ServedResource } from "../../../catalogue/served-resource.js";
import { listOffer } from "../../../http/negotiation.js";
import type { RequestContext } from "../../../request/request-context.js";
import { buildTable } from "../../../tables/build-table.js";
import {
  includeObjectOf,
  partialMetadata,
  representationFor,
  respondWithObject,
  sendMetaKind,
  sendTyped,
} from "../../../verbs/respond.js";
import type { VerbEnvironment } from "../../../verbs/verb-environment.js";
import type { VerbHandler } from "../../../verbs/verb-handler.js";

/** The store is the one component that this process can speak for (deprecated since v1.19, still asked for). */
const storeName = "etcd-0";

/** GET of /componentstatuses/<name>. */
export const getComponentStatus: VerbHandler = async (environment, context, served) => {
  const representation = representationFor(context);
  if (context.info.name !== storeName) {
    throw notFound(served, context.info.name);
  }
  respondWithObject(context, served, 200, await storeStatus(environment), representation);
};

/** GET of /componentstatuses. */
export const listComponentStatuses: VerbHandler = async (environment, context, served) => {
  const representation = representationFor(context, listOffer);
  const objects = [await storeStatus(environment)];
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
  sendList(context, served, objects, representation);
};

function sendList(
  context: RequestContext,
  served: ServedResource,
  objects: readonly JsonObject[],
  representation: ReturnType<typeof representationFor>,
): void {
  const schema = kindSchema(served.group, served.version, served.listKind)?.schema;
  if (schema === undefined) {
    throw new Error(`no schema for ${served.listKind}`);
  }
  const items = objects.map(({ kind: _kind, apiVersion: _apiVersion, ...rest }) => rest);
  const list = { kind: served.listKind, apiVersion: served.apiVersion, metadata: {}, items };
  sendTyped(context, 200, list, { kind: served.listKind, apiVersion: served.apiVersion, schema }, representation);
}

async function storeStatus(environment: VerbEnvironment): Promise<JsonObject> {
  const healthy = await environment.storeHealthy();
  const condition = healthy
    ? { type: "Healthy", status: "True", message: "ok" }
    : { type: "Healthy", status: "False", message: "the store does not answer" };
  return {
    kind: "ComponentStatus",
    apiVersion: "v1",
    metadata: { name: storeName, creationTimestamp: null },
    conditions: [condition],
  };
}
