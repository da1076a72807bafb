import { encodeProtobuf, wrapUnknown } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { mediaTypes } from "@gatehouse/envelopes/names";
import { messageSchema } from "@gatehouse/envelopes/schema";
import { badRequest, fieldError, notAcceptable, StatusError } from "@gatehouse/envelopes/status";
import { measureLayer } from "../http/answer-latency.js";
import {
  contentTypeOf,
  customOffer,
  negotiate,
  type Offer,
  objectOffer,
  type Representation,
} from "../http/negotiation.js";
import { recordAnswer, sendBytes, sendJsonBytes, sendObject } from "../http/responder.js";
import type { ServedResource } from "../registry/served-resource.js";
import type { MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import type { CacheEntry } from "../storage/cache/cache-entry.js";
import { buildTable, type IncludeObject } from "../tables/build-table.js";
import type { ExpectedKind } from "./body/decode-body.js";
import { internalPackage } from "./body/internal-package.js";

/** Returns the representation that the client will get, or throws 406. Called before anything else is done. */
export function representationFor(context: RequestContext, offer: Offer): Representation {
  const chosen = negotiate(context.header("accept"), offer);
  if (chosen === undefined) {
    throw notAcceptable(offer.encodings.map((encoding) => contentTypeOf[encoding] + (offer.typeSuffix ?? "")));
  }
  return chosen;
}

/**
 * Returns the representation of an object of a kind, or of a list of them, or throws 406. A form that does not fit the
 * object is found once it is there.
 */
export function objectRepresentation(context: RequestContext, kind: GroupKind): Representation {
  return representationFor(context, offerOf(kind));
}

/**
 * Returns the options of a write; those of a dry run where the answer cannot be shown, for no write should succeed
 * unseen. Problems of the write itself come first, as in v1.29.
 */
export function triedUnlessShown<Options extends { readonly dryRun: boolean }>(
  context: RequestContext,
  { as }: Representation,
  hidden: "PartialObjectMetadata" | "PartialObjectMetadataList",
  options: Options,
): Options {
  const isShown = as === "Table" ? isIncludeObject(context.query.get("includeObject") ?? "") : as !== hidden;
  return isShown ? options : { ...options, dryRun: true };
}

/** Returns the representations in which objects of a resource can be sent. */
export function offerOf({ isUnstructured }: GroupKind): Offer {
  return isUnstructured === true ? customOffer : objectOffer;
}

/** Refuses to show an object as a list: 406. */
function checkObjectShape(chosen: Representation, kind: GroupKind): void {
  if (chosen.as === "PartialObjectMetadataList") {
    throw wrongShape(`you requested ${chosen.as}, but the requested object is not a list (${goObjectType(kind)})`);
  }
}

/** Refuses to show a list as an object: 406. */
export function checkListShape(chosen: Representation, kind: GroupKind): void {
  if (chosen.as === "PartialObjectMetadata") {
    throw wrongShape(`you requested ${chosen.as}, but the requested object is a list (${goListType(kind)})`);
  }
}

function wrongShape(message: string): StatusError {
  return new StatusError(406, "NotAcceptable", message);
}

/** Returns the name of a kind's Go type with its package, as kube-apiserver writes it in messages. */
function goObjectType({ group, kind, isUnstructured }: GroupKind): string {
  return isUnstructured === true ? "*unstructured.Unstructured" : `*${internalPackage(group)}.${kind}`;
}

function goListType(kind: GroupKind): string {
  return `${goObjectType(kind)}List`;
}

/** Answers with a stored object. Its bytes are sent as they are unless the client wants them in another form. */
export function respondWithEntry(
  context: RequestContext,
  served: ServedResource,
  code: number,
  entry: CacheEntry,
  representation: Representation,
): MaybePromise<void> {
  const reading = measureLayer(context, "transform-response-object", () => served.makeReadable([entry], context));
  return reading === undefined
    ? showEntry(context, served, code, entry, representation)
    : reading.then(() => showEntry(context, served, code, entry, representation));
}

function showEntry(
  context: RequestContext,
  served: ServedResource,
  code: number,
  entry: CacheEntry,
  representation: Representation,
): MaybePromise<void> {
  if (representation.as !== undefined) {
    return respondWithSummary(context, served, code, served.rowOfEntry(entry), representation, representation.as);
  }
  if (representation.encoding === "json") {
    sendJsonBytes(context, code, served.bytesOf(entry));
    return;
  }
  return sendInSteps(context, code, served, entry, representation);
}

/**
 * Sends a large object in steps: reading it and writing it in another form may each take long.
 */
async function sendInSteps(
  context: RequestContext,
  code: number,
  served: ServedResource,
  entry: CacheEntry,
  representation: Representation,
): Promise<void> {
  await context.yieldIfLarge(entry.length);
  const object = served.objectOf(entry);
  await context.yieldIfLarge();
  await sendTyped(context, code, object, served, representation);
}

/** A group and kind, and whether it is a custom one. */
export type GroupKind = Pick<ServedResource, "group" | "kind"> & Partial<Pick<ServedResource, "isUnstructured">>;

/** A kind that objects are answered in: that of a resource, or one that stands for it as Scale does. */
export type ResponseKind = Pick<
  ServedResource,
  "group" | "version" | "kind" | "apiVersion" | "schema" | "table" | "rowOf" | "metadataOf" | "wholeOf"
> &
  GroupKind;

/** Answers with an object that is not stored as such (dry-run, scale, ...). */
export function respondWithObject(
  context: RequestContext,
  served: ResponseKind,
  code: number,
  object: JsonObject,
  representation: Representation,
): MaybePromise<void> {
  return representation.as === undefined
    ? sendTyped(context, code, object, served, representation)
    : respondWithSummary(context, served, code, served.rowOf(object), representation, representation.as);
}

/** Answers with a table of one object, or with its metadata; `stored` is the object as it is stored. */
function respondWithSummary(
  context: RequestContext,
  served: ResponseKind,
  code: number,
  stored: JsonObject,
  representation: Representation,
  as: NonNullable<Representation["as"]>,
): MaybePromise<void> {
  checkObjectShape(representation, served);
  if (as === "Table") {
    const table = measureLayer(context, "transform-response-object", () =>
      buildTable({
        definition: served.table,
        gvk: served,
        objects: [stored],
        rows: served,
        includeObject: includeObjectOf(context),
        listMeta: { resourceVersion: resourceVersionOf(stored) },
        version: representation.asVersion,
        context: { now: Date.now() },
      }),
    );
    return sendObject(context, code, table, representation.encoding);
  }
  const metadata = partialMetadata(served.metadataOf(stored), representation.asVersion);
  return sendMetaKind(context, code, metadata, representation);
}

/** Answers with an object of any kind that has a schema. */
export function sendTyped(
  context: RequestContext,
  code: number,
  object: JsonObject,
  kind: Pick<ExpectedKind, "schema" | "kind"> & { readonly apiVersion: string },
  representation: Representation,
): MaybePromise<void> {
  if (representation.encoding === "protobuf") {
    recordAnswer(context, object);
    const bytes = measureLayer(context, "serialize-response-object", () =>
      wrapUnknown(kind.apiVersion, kind.kind, encodeProtobuf(kind.schema, object)),
    );
    sendBytes(context, code, mediaTypes.protobuf, bytes);
    return;
  }
  return sendObject(context, code, object, representation.encoding);
}

/** Answers with a kind of the meta group, which has a schema of its own in every version. */
export function sendMetaKind(
  context: RequestContext,
  code: number,
  object: JsonObject,
  representation: Representation,
): MaybePromise<void> {
  const kind = object["kind"] as string;
  const schema = messageSchema(`k8s.io.apimachinery.pkg.apis.meta.v1.${kind}`);
  if (schema === undefined) {
    throw new Error(`no schema for ${kind}`);
  }
  return sendTyped(context, code, object, { kind, schema, apiVersion: object["apiVersion"] as string }, representation);
}

/** Returns the metadata of an object under its own kind, for clients that need no more. */
export function partialMetadata(metadata: JsonObject, version: string): JsonObject {
  return {
    kind: "PartialObjectMetadata",
    apiVersion: `meta.k8s.io/${version}`,
    metadata,
  };
}

/** Returns how much of each object a table carries in its rows; throws 400 for an unknown value. */
export function includeObjectOf(context: RequestContext): IncludeObject {
  const asked = context.query.get("includeObject") ?? "";
  if (isIncludeObject(asked)) {
    return asked === "" ? "Metadata" : asked;
  }
  const { field, message } = fieldError.invalid(
    "includeObject",
    asked,
    "must be 'Metadata', 'Object', 'None', or empty",
  );
  throw badRequest(`Unable to convert to Table as requested: ${field}: ${message}`);
}

function isIncludeObject(asked: string): asked is IncludeObject | "" {
  return asked === "" || asked === "Metadata" || asked === "None" || asked === "Object";
}

function resourceVersionOf(object: JsonObject): string {
  const metadata = object["metadata"] as JsonObject | undefined;
  return typeof metadata?.["resourceVersion"] === "string" ? metadata["resourceVersion"] : "";
}
