import { type JsonObject, StatusError } from "@gatehouse/envelopes";
import type { ServedResource } from "../../../catalogue/served-resource.js";
import type { Representation } from "../../../http/negotiation.js";
import type { RequestContext } from "../../../request/request-context.js";
import { buildTable } from "../../../tables/build-table.js";
import { parseListOptions } from "../../../verbs/list-options.js";
import {
  checkListShape,
  includeObjectOf,
  objectRepresentation,
  partialMetadata,
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
  const representation = objectRepresentation(context, served);
  if (context.info.name !== storeName) {
    throw new StatusError(404, "NotFound", `Component not found: ${context.info.name}`);
  }
  respondWithObject(context, served, 200, await storeStatus(environment), representation);
};

/** GET of /componentstatuses. */
export const listComponentStatuses: VerbHandler = async (environment, context, served) => {
  const representation = objectRepresentation(context, served);
  const { labelSelector, fieldSelector } = parseListOptions(context, served, false, false);
  const fields = new Map([["metadata.name", storeName]]);
  // The component has a name and no labels.
  const isWanted =
    (labelSelector?.matches({}) ?? true) && (fieldSelector?.matches((field) => fields.get(field) ?? "") ?? true);
  const objects = isWanted ? [await storeStatus(environment)] : [];
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
  sendList(context, served, objects, representation);
};

function sendList(
  context: RequestContext,
  served: ServedResource,
  objects: readonly JsonObject[],
  representation: Representation,
): void {
  const items = objects.map(({ kind: _kind, apiVersion: _apiVersion, ...rest }) => rest);
  const list = { kind: served.listKind, apiVersion: served.apiVersion, metadata: {}, items };
  sendTyped(
    context,
    200,
    list,
    { kind: served.listKind, apiVersion: served.apiVersion, schema: served.listSchema },
    representation,
  );
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
