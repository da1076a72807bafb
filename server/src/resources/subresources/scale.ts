import {
  fieldError,
  invalid,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  kindSchema,
  type LabelSelectorObject,
  labelSelectorOf,
  notFound,
} from "@gatehouse/envelopes";
import { plainOffer } from "../../http/negotiation.js";
import type { RequestContext } from "../../request/request-context.js";
import { metaOf } from "../object-meta.js";
import type { ServedResource } from "../served-resource.js";
import { checkNamespace } from "../verbs/create.js";
import { decodeBody, type ExpectedKind } from "../verbs/decode-body.js";
import { readEntry } from "../verbs/get.js";
import { applyPatch, readPatch } from "../verbs/patch.js";
import { representationFor, sendTyped } from "../verbs/respond.js";
import { checkName, type UpdateOutcome, updateObject } from "../verbs/update.js";
import type { VerbEnvironment } from "../verbs/verb-environment.js";
import { parseWriteOptions } from "../verbs/write-options.js";

/** autoscaling/v1 Scale: the one shape by which anything with replicas is scaled. */
function scaleKind(): ExpectedKind {
  const kind = kindSchema("autoscaling", "v1", "Scale");
  if (kind === undefined) {
    throw new Error("no schema for Scale");
  }
  return { group: "autoscaling", version: "v1", kind: "Scale", schema: kind.schema };
}

/** GET of /scale. */
export async function getScale(context: RequestContext, served: ServedResource): Promise<void> {
  const representation = representationFor(context, plainOffer);
  const entry = await readEntry(context, served);
  sendScale(context, scaleOf(served.objectOf(entry)), representation);
}

/** PUT of /scale. */
export async function updateScale(
  environment: VerbEnvironment,
  context: RequestContext,
  served: ServedResource,
): Promise<void> {
  const representation = representationFor(context, plainOffer);
  const options = parseWriteOptions(context.query, "UpdateOptions");
  const scale = await decodeBody(context, scaleKind(), options.fieldValidation);
  checkNamespace(scale, served, context.info.namespace);
  checkName(scale, context.info.name);
  const outcome = await writeScale(environment, context, served, () => scale, options.dryRun);
  sendScale(context, scaleOf(resultOf(served, outcome)), representation);
}

/** PATCH of /scale: the patch is applied to the Scale, not to the object behind it. */
export async function patchScale(
  environment: VerbEnvironment,
  context: RequestContext,
  served: ServedResource,
): Promise<void> {
  const representation = representationFor(context, plainOffer);
  const options = parseWriteOptions(context.query, "PatchOptions");
  const kind = scaleKind();
  const parsed = await readPatch(context, kind, options.fieldValidation);
  const revise = (current: JsonObject): JsonObject =>
    applyPatch(context, kind, parsed, current, options.fieldValidation);
  const outcome = await writeScale(environment, context, served, revise, options.dryRun);
  sendScale(context, scaleOf(resultOf(served, outcome)), representation);
}

function writeScale(
  environment: VerbEnvironment,
  context: RequestContext,
  served: ServedResource,
  revise: (current: JsonObject) => JsonObject,
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
      return withReplicas(old, revise(scaleOf(old)), context.info.name);
    },
  });
}

/** The scaled object: of a Scale only spec.replicas counts, and its uid and version as preconditions. */
function withReplicas(old: JsonObject, scale: JsonObject, name: string): JsonObject {
  const spec = isJsonObject(scale["spec"]) ? scale["spec"] : {};
  const replicas = Number(spec["replicas"] ?? 0);
  if (replicas < 0) {
    throw invalid({ group: "autoscaling", kind: "Scale" }, name, [
      fieldError.invalid("spec.replicas", replicas, "must be greater than or equal to 0"),
    ]);
  }
  const object = structuredClone(old);
  const meta = metaOf(object);
  const scaleMeta = metaOf(scale);
  meta.resourceVersion = scaleMeta.resourceVersion ?? "";
  if (scaleMeta.uid !== undefined) {
    meta.uid = scaleMeta.uid;
  }
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
  return labelSelectorOf((isLabelSelector ? selector : { matchLabels: selector }) as LabelSelectorObject).toString();
}

function sendScale(
  context: RequestContext,
  scale: JsonObject,
  representation: ReturnType<typeof representationFor>,
): void {
  const { schema } = scaleKind();
  sendTyped(context, 200, scale, { kind: "Scale", apiVersion: "autoscaling/v1", schema }, representation);
}
