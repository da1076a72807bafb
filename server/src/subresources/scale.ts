import {
  apiVersionOf,
  badRequest,
  conflict,
  fieldError,
  type GroupResource,
  invalid,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type LabelSelectorObject,
  labelSelectorOf,
  notFound,
  SelectorError,
} from "@gatehouse/envelopes";
import type { ServedResource } from "../catalogue/served-resource.js";
import type { Representation } from "../http/negotiation.js";
import { metaOf } from "../objects/object-meta.js";
import type { RequestContext } from "../request/request-context.js";
import { plainRows } from "../tables/build-table.js";
import { scaleTable } from "../tables/scale-table.js";
import { checkName, checkNamespace } from "../verbs/check-identity.js";
import { decodeBody, type ExpectedKind, expectedKind } from "../verbs/decode-body.js";
import { readEntry } from "../verbs/get.js";
import { applyPatch, readPatch } from "../verbs/patch.js";
import { objectRepresentation, respondWithObject } from "../verbs/respond.js";
import { checkUid, type UpdateOutcome, updateObject } from "../verbs/update.js";
import type { VerbEnvironment } from "../verbs/verb-environment.js";
import { parseWriteOptions } from "../verbs/write-options.js";

/** The one shape by which anything with replicas is scaled. */
const scaleKind = (): ExpectedKind => expectedKind("autoscaling", "v1", "Scale");

/** GET of /scale. */
export async function getScale(context: RequestContext, served: ServedResource): Promise<void> {
  const representation = objectRepresentation(context, scaleKind());
  const entry = await readEntry(context, served, scaledResource(served));
  sendScale(context, scaleOf(served.objectOf(entry)), representation);
}

/** PUT of /scale. */
export async function updateScale(
  environment: VerbEnvironment,
  context: RequestContext,
  served: ServedResource,
): Promise<void> {
  const representation = objectRepresentation(context, scaleKind());
  const options = parseWriteOptions(context.query, "UpdateOptions");
  const scale = await decodeBody(context, scaleKind(), options.fieldValidation);
  checkNamespace(scale, served, context.info.namespace);
  checkName(scale, context.info.name);
  const revise = (_current: JsonObject, old: JsonObject): JsonObject => {
    checkUid(served, scale, old);
    return scale;
  };
  const outcome = await writeScale(environment, context, served, revise, options.dryRun);
  sendScale(context, scaleOf(resultOf(served, outcome)), representation);
}

/** PATCH of /scale: the patch is applied to the Scale, not to the object behind it. */
export async function patchScale(
  environment: VerbEnvironment,
  context: RequestContext,
  served: ServedResource,
): Promise<void> {
  const representation = objectRepresentation(context, scaleKind());
  const options = parseWriteOptions(context.query, "PatchOptions");
  const kind = scaleKind();
  const parsed = await readPatch(context, kind, options.fieldValidation);
  const revise = (current: JsonObject, old: JsonObject): JsonObject => {
    const patched = applyPatch(context, kind, parsed, current, options.fieldValidation);
    checkPatchedUid(served, patched, old);
    checkNamespace(patched, served, context.info.namespace);
    checkName(patched, context.info.name);
    return patched;
  };
  const outcome = await writeScale(environment, context, served, revise, options.dryRun);
  sendScale(context, scaleOf(resultOf(served, outcome)), representation);
}

function writeScale(
  environment: VerbEnvironment,
  context: RequestContext,
  served: ServedResource,
  revise: (current: JsonObject, old: JsonObject) => JsonObject,
  dryRun: boolean,
): Promise<UpdateOutcome> {
  return updateObject(environment, context, served, {
    subresource: "scale",
    dryRun,
    createWhenMissing: false,
    revise: (old) => {
      if (old === undefined) {
        throw notFound(served, context.info.name);
      }
      return withReplicas(old, revise(scaleOf(old), old));
    },
  });
}

/** How v1.29 names what has no scale to read: kinds tell of it in their own ways. */
function scaledResource({ group, resource }: ServedResource): GroupResource {
  switch (resource) {
    case "deployments":
    case "replicasets":
      return { group, resource: `${resource}/scale` };
    case "replicationcontrollers":
      return { group: "autoscaling", resource: `${resource}/scale` };
    default:
      return { group, resource };
  }
}

/** A uid that a patch writes is that of the object to be scaled. */
function checkPatchedUid(served: ServedResource, scale: JsonObject, old: JsonObject): void {
  const { uid = "" } = metaOf(scale);
  const { name = "", uid: oldUid = "" } = metaOf(old);
  if (uid !== "" && uid !== oldUid) {
    throw conflict(
      { group: served.group, resource: `${served.resource}/scale` },
      name,
      `Precondition failed: UID in precondition: ${uid}, UID in object meta: ${oldUid}`,
    );
  }
}

/** The scaled object: of a Scale only spec.replicas counts, and its version as a precondition. */
function withReplicas(old: JsonObject, scale: JsonObject): JsonObject {
  const spec = isJsonObject(scale["spec"]) ? scale["spec"] : {};
  const replicas = Number(spec["replicas"] ?? 0);
  if (replicas < 0) {
    throw invalid({ group: "autoscaling", kind: "Scale" }, metaOf(scale).name ?? "", [
      fieldError.invalid("spec.replicas", replicas, "must be greater than or equal to 0"),
    ]);
  }
  const object = structuredClone(old);
  const meta = metaOf(object);
  meta.resourceVersion = metaOf(scale).resourceVersion ?? "";
  object["spec"] = { ...(isJsonObject(object["spec"]) ? object["spec"] : {}), replicas };
  return object;
}

function resultOf(served: ServedResource, outcome: UpdateOutcome): JsonObject {
  return outcome.entry === undefined ? outcome.object : served.objectOf(outcome.entry);
}

/** The Scale of a Deployment, ReplicaSet, StatefulSet or ReplicationController. */
export function scaleOf(object: JsonObject): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metaOf(object);
  const spec = isJsonObject(object["spec"]) ? object["spec"] : {};
  const status = isJsonObject(object["status"]) ? object["status"] : {};
  const selector = selectorText(spec["selector"]);
  const metadata: JsonObject = { name, namespace, uid, resourceVersion, creationTimestamp: creationTimestamp ?? null };
  const replicas = Number(spec["replicas"] ?? 0);
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata,
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: Number(status["replicas"] ?? 0), ...(selector === "" ? {} : { selector }) },
  };
}

/** ReplicationControllers select by a plain map, everything newer by a LabelSelector. */
function selectorText(selector: JsonValue | undefined): string {
  if (!isJsonObject(selector)) {
    return "";
  }
  const isLabelSelector = isJsonObject(selector["matchLabels"]) || Array.isArray(selector["matchExpressions"]);
  try {
    return labelSelectorOf((isLabelSelector ? selector : { matchLabels: selector }) as LabelSelectorObject).toString();
  } catch (error) {
    // What is stored may be older than the rules for it.
    throw error instanceof SelectorError ? badRequest(error.message, error) : error;
  }
}

function sendScale(context: RequestContext, scale: JsonObject, representation: Representation): void {
  const kind = scaleKind();
  respondWithObject(
    context,
    { ...kind, ...plainRows, apiVersion: apiVersionOf(kind), table: scaleTable, toStorage: (object) => object },
    200,
    scale,
    representation,
  );
}
