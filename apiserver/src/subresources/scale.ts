import { goQuote } from "@gatehouse/envelopes/go";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import { mediaTypes } from "@gatehouse/envelopes/names";
import { startSteps } from "@gatehouse/envelopes/scheduling";
import { apiVersionOf } from "@gatehouse/envelopes/schema";
import {
  badRequest,
  conflict,
  fieldError,
  type GroupResource,
  invalid,
  notFound,
  StatusError,
} from "@gatehouse/envelopes/status";
import { validateObjectMeta, validateSubdomainName } from "@gatehouse/envelopes/validation";
import type { ObjectForm } from "../forms/object-form.js";
import { TypedForm } from "../forms/typed-form.js";
import type { Representation } from "../http/negotiation.js";
import { FieldManager } from "../managed-fields/field-manager.js";
import { noFields } from "../managed-fields/field-set.js";
import { readManagers, writeManagers } from "../managed-fields/managers.js";
import { mergeTypeOf } from "../managed-fields/merge-type.js";
import { onlyVersion } from "../managed-fields/merged-kind.js";
import {
  managersAfterScale,
  managersOfScale,
  type ReplicasPath,
  scaleApiVersion,
} from "../managed-fields/scale-managers.js";
import { metaOf } from "../objects/object-meta.js";
import { builtinScale, replicasOf, scaleViewOf } from "../registry/scale-of-definition.js";
import type { ScaleView } from "../registry/scale-view.js";
import type { ServedResource } from "../registry/served-resource.js";
import type { MaybePromise } from "../request/handler.js";
import { ifLarge } from "../request/if-large.js";
import type { RequestContext } from "../request/request-context.js";
import type { CacheEntry } from "../storage/cache/cache-entry.js";
import { readApplyDocument } from "../verbs/body/apply-document.js";
import { decodeBody } from "../verbs/body/decode-body.js";
import { type ExpectedKind, expectedKind } from "../verbs/body/expected-kind.js";
import { patchTypeOf, readPatch } from "../verbs/body/patch-document.js";
import { readEntry } from "../verbs/reading/get.js";
import type { RequestScope } from "../verbs/request-scope.js";
import { objectRepresentation, respondWithObject } from "../verbs/respond.js";
import { parseApplyOptions, parsePatchOptions, parseUpdateOptions, type WriteOptions } from "../verbs/write-options.js";
import { applyTo } from "../verbs/writing/apply.js";
import { type BegunWrite, beginWrite } from "../verbs/writing/begin-write.js";
import { checkIdentity } from "../verbs/writing/check-identity.js";
import { writerOf } from "../verbs/writing/field-managers.js";
import { mutateInAdmission } from "../verbs/writing/mutate-in-admission.js";
import {
  checkUid,
  type ShownWrite,
  shownAttributes,
  type UpdateOutcome,
  updateObject,
} from "../verbs/writing/update.js";

let theScaleKind: ExpectedKind | undefined;

/**
 * Returns the shape of Scale, which serves every scalable kind. It is looked up when first needed, not when this is
 * loaded.
 */
function scaleKind(): ExpectedKind {
  theScaleKind ??= expectedKind("autoscaling", "v1", "Scale");
  return theScaleKind;
}

let theScaleForm: ObjectForm | undefined;

/** Returns the form of Scales, which are never stored. */
function scaleForm(): ObjectForm {
  theScaleForm ??= new TypedForm(scaleKind());
  return theScaleForm;
}

/** Handles GET of /scale. */
export async function getScale({ context, served }: RequestScope): Promise<void> {
  const representation = objectRepresentation(context, scaleForm());
  const entry = await readScaled(context, served);
  await served.form.prepare([entry], context);
  const object = served.form.decode(entry);
  const view = scaleViewOf(served.definition);
  replicasOf(view, object); // A Scale without replicas that must be stated is an error.
  await sendScale(context, served, scaleOf(object, view), representation);
}

/** Handles PUT of /scale. */
export async function updateScale(scope: RequestScope): Promise<void> {
  const { context, served } = scope;
  const { representation, options } = beginWrite(context, scaleForm().offer, parseUpdateOptions);
  const sent = await readScale(context, served, options);
  checkIdentity(sent, scope);
  const writer = writerOf(scope, options);
  const revise = async (current: JsonObject, old: JsonObject): Promise<JsonObject> => {
    const scale = structuredClone(sent);
    await startSteps(ifLarge(context), scaleFieldManager().update(current, scale, writer));
    checkUid(served, scale, old, options);
    return scale;
  };
  const outcome = await writeScale(scope, revise, options);
  await sendScale(
    context,
    served,
    scaleOf(await resultOf(context, served, outcome), scaleViewOf(served.definition)),
    representation,
  );
}

/** Reads a Scale. For a custom kind v1.29 cannot name the error: its decoder there does not know the type. */
async function readScale(context: RequestContext, served: ServedResource, options: WriteOptions): Promise<JsonObject> {
  try {
    return await decodeBody(context, scaleKind(), options.fieldValidation);
  } catch (error) {
    throw served.definition.custom !== undefined && error instanceof StatusError && error.reason === "BadRequest"
      ? badRequest('no kind is registered for the type v1.Scale in scheme "pkg/runtime/scheme.go:100"', error)
      : error;
  }
}

/** Handles PATCH of /scale: the patch is applied to the Scale, not to the object behind it. */
export async function patchScale(scope: RequestScope): Promise<void> {
  const { context, served } = scope;
  const types = served.form.patchTypes;
  const isApply = patchTypeOf(context, types) === mediaTypes.applyPatch;
  const { representation, options, revision } = isApply
    ? await readApplication(scope)
    : await readScalePatch(scope, types);
  const revise = async (current: JsonObject, old: JsonObject): Promise<JsonObject> => {
    const patched = await revision(current);
    checkScaleUid(served, patched, old);
    checkIdentity(patched, scope);
    return patched;
  };
  const outcome = await writeScale(scope, revise, options);
  await sendScale(
    context,
    served,
    scaleOf(await resultOf(context, served, outcome), scaleViewOf(served.definition)),
    representation,
  );
}

/** A patch read as the function that makes the new Scale, managedFields included, from the current one. */
interface ScaleRevision extends BegunWrite<WriteOptions> {
  readonly revision: (current: JsonObject) => JsonObject | Promise<JsonObject>;
}

async function readScalePatch(scope: RequestScope, types: readonly string[]): Promise<ScaleRevision> {
  const { context } = scope;
  const begun = beginWrite(context, scaleForm().offer, parsePatchOptions);
  const { options } = begun;
  const document = await readPatch(context, options.fieldValidation, types);
  const writer = writerOf(scope, options);
  const revision = async (current: JsonObject): Promise<JsonObject> => {
    const patched = await document.applyTo(current, scaleKind());
    await startSteps(ifLarge(context), scaleFieldManager().update(current, patched, writer));
    return patched;
  };
  return { ...begun, revision };
}

async function readApplication(scope: RequestScope): Promise<ScaleRevision> {
  const { context } = scope;
  const begun = beginWrite(context, scaleForm().offer, parseApplyOptions);
  const { options } = begun;
  const document = await readApplyDocument(context);
  const application = {
    document,
    expected: scaleKind(),
    manager: scaleFieldManager(),
    writer: writerOf(scope, options),
    force: options.force,
  };
  const revision = async (current: JsonObject): Promise<JsonObject> => {
    const applied = await applyTo(context, application, current);
    document.reportDuplicates(context, options.fieldValidation);
    return applied;
  };
  return { ...begun, revision };
}

let theScaleFieldManager: FieldManager | undefined;

/** Returns the field manager of Scales, the same for all scaled kinds. */
function scaleFieldManager(): FieldManager {
  theScaleFieldManager ??= makeScaleFieldManager();
  return theScaleFieldManager;
}

function makeScaleFieldManager(): FieldManager {
  return new FieldManager(
    {
      ...onlyVersion(scaleApiVersion, mergeTypeOf(scaleKind().schema)),
      group: "autoscaling",
      kind: "Scale",
      blank: {},
      resetFields: noFields,
      mayBeStale: false,
    },
    "scale",
  );
}

/** Returns the path of the replicas of a built-in kind, which is the same in all versions. */
function replicasPath({ group, definition }: ServedResource): ReplicasPath {
  const { replicasPathIn } = definition.scale ?? {};
  return (apiVersion) => {
    if (replicasPathIn !== undefined) {
      return replicasPathIn(apiVersion)?.map((name) => `f:${name}`);
    }
    return apiVersion.startsWith(group === "" ? "v" : `${group}/`) ? ["f:spec", "f:replicas"] : undefined;
  };
}

/** Returns the Scale of an object before a write, with the managers of the replicas. */
function ownedScale(served: ServedResource, object: JsonObject): JsonObject {
  const scale = scaleOf(object, scaleViewOf(served.definition));
  const managers = managersOfScale(readManagers(metaOf(object)["managedFields"], "store"), replicasPath(served));
  const managedFields = writeManagers(managers);
  return managedFields === undefined ? scale : { ...scale, metadata: { ...metaOf(scale), managedFields } };
}

/** Sets the managers of the scaled object after its Scale has been written. */
function takeManagers(served: ServedResource, old: JsonObject, object: JsonObject, scale: JsonObject): void {
  const managedFields = writeManagers(
    managersAfterScale(
      readManagers(metaOf(old)["managedFields"], "store"),
      readManagers(metaOf(scale)["managedFields"], "store"),
      served.apiVersion,
      replicasPath(served),
    ),
  );
  const meta = metaOf(object);
  delete meta["managedFields"];
  if (managedFields !== undefined) {
    meta["managedFields"] = managedFields;
  }
}

function writeScale(
  scope: RequestScope,
  revise: (current: JsonObject, old: JsonObject) => Promise<JsonObject>,
  options: WriteOptions,
): Promise<UpdateOutcome> {
  const { environment, context, served } = scope;
  const shown: ShownWrite = { kind: scaleKind(), of: (object) => scaleOf(object, scaleViewOf(served.definition)) };
  const request = { subresource: "scale", options, shown };
  return updateObject(scope, {
    ...request,
    ownership: "stated",
    createWhenMissing: false,
    revise: async (old) => {
      if (old === undefined) {
        throw notFound(served, context.info.name);
      }
      const view = scaleViewOf(served.definition);
      const scale = await revise(revisable(ownedScale(served, old), old, view), old);
      identify(scale, old);
      const attributes = shownAttributes(scope, request, scale, ownedScale(served, old));
      await mutateInAdmission(environment, attributes);
      if (attributes.isChanged) {
        checkScaleUid(served, scale, old);
      }
      const object = withReplicas(served, old, scale);
      takeManagers(served, old, object, scale);
      return object;
    },
  });
}

/** Reads the scaled object. For some kinds v1.29 answers every failure to read with "not found" of the scale. */
async function readScaled(context: RequestContext, served: ServedResource): Promise<CacheEntry> {
  const missing = scaledResource(served);
  try {
    return await readEntry(context, served, missing);
  } catch (error) {
    throw missing !== served && error instanceof StatusError ? notFound(missing, context.info.name) : error;
  }
}

/** Returns the resource that a refusal names when there is no scale to read. */
function scaledResource(served: ServedResource): GroupResource {
  return served.definition.subresources.find(({ name }) => name === "scale")?.missingAs ?? served;
}

/** Gives a Scale the name and the namespace of the scaled object, if it states none. */
function identify(scale: JsonObject, old: JsonObject): void {
  const [meta, { name = "", namespace = "" }] = [metaOf(scale), metaOf(old)];
  meta.name ||= name;
  meta.namespace ||= namespace;
}

/** Checks that the uid of a Scale that has been patched, by the client or by a webhook, is that of the scaled object. */
function checkScaleUid(served: ServedResource, scale: JsonObject, old: JsonObject): void {
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

/** The value for replicas that are not stated, so that a patch has to state them. */
const noReplicas = -(2 ** 31);

/** Returns the Scale that a write begins with. */
function revisable(scale: JsonObject, old: JsonObject, view: ScaleView): JsonObject {
  return lacksReplicas(view, old) ? { ...scale, spec: { replicas: noReplicas } } : scale;
}

/** Reports whether an object lacks its replicas although they are required. */
function lacksReplicas(view: ScaleView, object: JsonObject): boolean {
  return view.requiredReplicas !== undefined && view.read(object).replicas === undefined;
}

/** Returns the scaled object with the spec.replicas of a Scale, and its version as a precondition. */
function withReplicas(served: ServedResource, old: JsonObject, scale: JsonObject): JsonObject {
  const spec = isJsonObject(scale["spec"]) ? scale["spec"] : {};
  const replicas = Number(spec["replicas"] ?? 0);
  const { scale: view } = served.definition;
  if (view !== undefined) {
    return withCustomReplicas(view, old, scale, replicas);
  }
  checkScale(old, scale, replicas);
  const object = structuredClone(old);
  const meta = metaOf(object);
  meta.resourceVersion = metaOf(scale).resourceVersion ?? "";
  builtinScale.write(object, replicas);
  return object;
}

/** Validates a Scale. Its metadata are checked, too, though nothing of them is kept. */
function checkScale(old: JsonObject, scale: JsonObject, replicas: number): void {
  const { name = "" } = metaOf(old);
  const rules = { namespaced: true, validateName: validateSubdomainName, onlyKnownFinalizers: true };
  const errors = [...validateObjectMeta(metaOf(scale), rules)];
  if (replicas < 0) {
    errors.push(fieldError.invalid("spec.replicas", replicas, "must be greater than or equal to 0"));
  }
  if (errors.length > 0) {
    throw invalid({ group: "autoscaling", kind: "Scale" }, name, errors);
  }
}

/** Returns the custom object with the replicas set; their range is checked by the kind's own validation. */
function withCustomReplicas(view: ScaleView, old: JsonObject, scale: JsonObject, replicas: number): JsonObject {
  if (replicas === noReplicas) {
    throw badRequest(`the spec replicas field ${goQuote(view.requiredReplicas ?? "")} cannot be empty`);
  }
  const object = structuredClone(old);
  view.write(object, replicas);
  const { resourceVersion = "" } = metaOf(scale);
  if (resourceVersion !== "") {
    metaOf(object).resourceVersion = resourceVersion;
  }
  return object;
}

async function resultOf(context: RequestContext, served: ServedResource, outcome: UpdateOutcome): Promise<JsonObject> {
  await served.form.prepare(outcome.entry === undefined ? [] : [outcome.entry], context);
  return outcome.entry === undefined ? outcome.object : served.form.decode(outcome.entry);
}

/**
 * Returns the Scale of a Deployment, ReplicaSet, StatefulSet or ReplicationController, or of a kind with its own view.
 */
export function scaleOf(object: JsonObject, view: ScaleView = builtinScale): JsonObject {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = metaOf(object);
  const { replicas = 0, statusReplicas, selector } = view.read(object);
  const metadata: JsonObject = { name, namespace, uid, resourceVersion, creationTimestamp: creationTimestamp ?? null };
  return {
    kind: "Scale",
    apiVersion: "autoscaling/v1",
    metadata,
    spec: replicas === 0 ? {} : { replicas },
    status: { replicas: statusReplicas, ...(selector === "" ? {} : { selector }) },
  };
}

function sendScale(
  context: RequestContext,
  served: ServedResource,
  scale: JsonObject,
  representation: Representation,
): MaybePromise<void> {
  const kind = scaleKind();
  return respondWithObject(
    context,
    { ...kind, apiVersion: apiVersionOf(kind), table: scaleViewOf(served.definition).table, form: scaleForm() },
    200,
    scale,
    representation,
  );
}
