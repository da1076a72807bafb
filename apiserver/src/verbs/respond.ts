import { encodeProtobuf, wrapUnknown } from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { mediaTypes } from "@gatehouse/envelopes/names";
import { messageSchema } from "@gatehouse/envelopes/schema";
import { badRequest, fieldError, notAcceptable, StatusError } from "@gatehouse/envelopes/status";
import type { ObjectForm } from "../forms/object-form.js";
import { measureLayer } from "../http/answer-latency.js";
import { contentTypeOf, negotiate, type Offer, type Representation, withoutTable } from "../http/negotiation.js";
import { recordAnswer, sendBytes, sendJsonBytes, sendObject } from "../http/responder.js";
import type { ServedResource } from "../registry/served-resource.js";
import type { MaybePromise } from "../request/handler.js";
import type { RequestContext } from "../request/request-context.js";
import type { CacheEntry } from "../storage/cache/cache-entry.js";
import { buildTable, type IncludeObject } from "../tables/build-table.js";
import type { ExpectedKind } from "./body/expected-kind.js";

/** Returns the representation that the client will get, or throws 406. Called before anything else is done. */
export function representationFor(context: RequestContext, offer: Offer, suffix = ""): Representation {
  const accept = context.header("accept");
  const chosen = negotiate(accept, offer);
  if (chosen === undefined) {
    if (offer.unencodable !== undefined && negotiate(accept, { ...offer, onlyTransformedIn: [] }) !== undefined) {
      throw cannotEncode(`${offer.unencodable}${suffix}`);
    }
    throw notAcceptable(offer.encodings.map((encoding) => contentTypeOf[encoding] + (offer.typeSuffix ?? "")));
  }
  return chosen;
}

/** Returns what the path of a request offers: the object, as the resource or one of its subresources shows it. */
export function offerOf({ form, definition }: ServedResource, { info }: RequestContext): Offer {
  const { subresource } = info;
  const isShownInRows =
    subresource === "" || definition.subresources.find(({ name }) => name === subresource)?.hasNoTable !== true;
  return isShownInRows ? form.offer : withoutTable(form.offer);
}

/** Returns a 406 for an object without a protobuf form where the client takes nothing else. */
function cannotEncode(goType: string): StatusError {
  const problem = "does not implement the protobuf marshalling interface and cannot be encoded to a protobuf message";
  return new StatusError(406, "NotAcceptable", `object ${goType} ${problem}`);
}

/**
 * Returns the representation of an object, or of a list of them, or throws 406. A representation that does not fit the
 * object is found once it is there. `suffix` is what the Go type of a list has behind that of an object.
 */
export function objectRepresentation(context: RequestContext, form: ObjectForm, suffix = ""): Representation {
  return representationFor(context, form.offer, suffix);
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

/** Refuses to show an object as a list: 406. */
function checkObjectShape(chosen: Representation, form: ObjectForm): void {
  if (chosen.as === "PartialObjectMetadataList") {
    throw wrongShape(`you requested ${chosen.as}, but the requested object is not a list (${form.goType})`);
  }
}

/** Refuses to show a list as an object: 406. */
export function checkListShape(chosen: Representation, form: ObjectForm): void {
  if (chosen.as === "PartialObjectMetadata") {
    throw wrongShape(`you requested ${chosen.as}, but the requested object is a list (${form.goType}List)`);
  }
}

function wrongShape(message: string): StatusError {
  return new StatusError(406, "NotAcceptable", message);
}

/** Answers with a stored object. Its bytes are sent as they are unless the client wants them in another form. */
export function respondWithEntry(
  context: RequestContext,
  served: ServedResource,
  code: number,
  entry: CacheEntry,
  representation: Representation,
): MaybePromise<void> {
  const reading = measureLayer(context, "transform-response-object", () => served.form.prepare([entry], context));
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
    return respondWithSummary(context, served, code, served.form.decodeRow(entry), representation, representation.as);
  }
  if (representation.encoding === "json") {
    sendJsonBytes(context, code, served.form.encode(entry));
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
  const object = served.form.decode(entry);
  await context.yieldIfLarge();
  await sendTyped(context, code, object, served, representation);
}

/** A kind that objects are answered in: that of a resource, or one that stands for it as Scale does. */
export type ResponseKind = Pick<ServedResource, "apiVersion" | "kind" | "schema" | "table" | "form">;

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
    : respondWithSummary(context, served, code, served.form.toRow(object), representation, representation.as);
}

/** Answers with a table of one object, or with its metadata; `row` is its row. */
function respondWithSummary(
  context: RequestContext,
  served: ResponseKind,
  code: number,
  row: JsonObject,
  representation: Representation,
  as: NonNullable<Representation["as"]>,
): MaybePromise<void> {
  checkObjectShape(representation, served.form);
  if (as === "Table") {
    const table = measureLayer(context, "transform-response-object", () =>
      buildTable({
        definition: served.table,
        objects: [row],
        rows: served.form,
        includeObject: includeObjectOf(context),
        listMeta: { resourceVersion: resourceVersionOf(row) },
        version: representation.asVersion,
        context: { now: context.now() },
      }),
    );
    return sendObject(context, code, table, representation.encoding);
  }
  const metadata = partialMetadata(served.form.metadataOfRow(row), representation.asVersion);
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
