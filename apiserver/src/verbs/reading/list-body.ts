import {
  copySorted,
  encodeJson,
  encodeProtobuf,
  encodeYamlChunks,
  envelopeAround,
  protobufMemberEncoder,
} from "@gatehouse/envelopes/codec";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { StepContext } from "@gatehouse/envelopes/scheduling";
import { messageSchema } from "@gatehouse/envelopes/schema";
import type { Pieces } from "../../http/answer.js";
import { JsonIndenter } from "../../http/indent-json.js";
import type { Representation } from "../../http/negotiation.js";
import type { ServedResource } from "../../registry/served-resource.js";
import type { CacheEntry } from "../../storage/cache/cache-entry.js";
import { type IncludeObject, type TableOptions, tableHead, tableRow } from "../../tables/build-table.js";
import { partialMetadata } from "../respond.js";
import { joinedLength, joinItems } from "./join-items.js";

/*
 * The body of a list in every representation, in pieces: made as the client takes them and with the event loop free in
 * between, because a list may be of any length.
 */

/** The entries to be shown in a list, and their form. */
export interface ListBodyOptions {
  readonly served: ServedResource;
  readonly entries: readonly CacheEntry[];
  /** The list's own metadata. */
  readonly listMeta: JsonObject;
  readonly representation: Representation;
  /** The measure of an object that each table row carries. */
  readonly includeObject: IncludeObject;
  /** True for JSON with line breaks. */
  readonly pretty: boolean;
  /** Milliseconds since the epoch, for ages in tables. */
  readonly nowMs: number;
  readonly context: Pick<StepContext, "yield">;
  /** Changes each item, or row, before it is shown. */
  readonly reviseItem?: (item: JsonObject) => JsonObject;
}

/** Approximate size of a piece in bytes. */
const pieceBytes = 128 * 1024;
/** The end of a document, since Go's encoder ends with a newline, unless it indents. */
const newline = Buffer.from("\n");

/** Returns the body of a list. Its work begins when the first piece is taken. */
export function listBody(options: ListBodyOptions): Pieces {
  const { representation, pretty, context } = options;
  if (representation.encoding === "protobuf") {
    return { pieces: protobufPieces(options), byteLength: undefined };
  }
  if (representation.encoding === "yaml") {
    return { pieces: yamlPieces(options), byteLength: undefined };
  }
  const isAsStored =
    representation.as === undefined && options.reviseItem === undefined && insteadOfItems(options) === undefined;
  if (isAsStored && (!options.served.converts || options.served.isUnstructured)) {
    const { pieces, byteLength } = storedJson(options);
    return pretty
      ? { pieces: indented(pieces, context), byteLength: undefined }
      : { pieces: ended(pieces), byteLength: byteLength + newline.length };
  }
  return {
    pieces: pretty ? indented(builtJson(options, ""), context) : builtJson(options, "\n"),
    byteLength: undefined,
  };
}

/** A list as it is shown: what stands before its items, and how one is made. */
interface ListForm {
  readonly head: JsonObject;
  /** The members behind the items: lists of custom kinds have their members in the order of the names. */
  readonly tail: JsonObject;
  readonly itemsKey: "items" | "rows";
  readonly itemOf: (stored: JsonObject) => JsonObject;
  /** The order of the items, where it is not that of the list. */
  readonly compare: ((a: JsonObject, b: JsonObject) => number) | undefined;
}

function listForm(options: ListBodyOptions): ListForm {
  const { served, listMeta, representation } = options;
  const { as, asVersion } = representation;
  if (as === "Table") {
    const table: TableOptions = {
      definition: served.table,
      gvk: served,
      rows: served,
      includeObject: options.includeObject,
      listMeta,
      version: asVersion,
      context: { now: options.nowMs },
    };
    const compare = served.table.compare?.bind(served.table);
    return { head: tableHead(table), tail: {}, itemsKey: "rows", itemOf: (object) => tableRow(object, table), compare };
  }
  const kind = as ?? served.listKind;
  const apiVersion = as === undefined ? served.apiVersion : `meta.k8s.io/${asVersion}`;
  if (as === undefined && served.isUnstructured) {
    const itemOf = (object: JsonObject): JsonObject => object;
    const metadata = copySorted({ continue: "", ...listMeta });
    return { head: { apiVersion }, tail: { kind, metadata }, itemsKey: "items", itemOf, compare: undefined };
  }
  const itemOf =
    as === undefined
      ? (stored: JsonObject) => withoutTypeMeta(served.fromStorage(stored))
      : (stored: JsonObject) => partialMetadata(served.metadataOf(stored), asVersion);
  return { head: { kind, apiVersion, metadata: listMeta }, tail: {}, itemsKey: "items", itemOf, compare: undefined };
}

function withoutTypeMeta({ kind: _kind, apiVersion: _apiVersion, ...members }: JsonObject): JsonObject {
  return members;
}

/** Returns the stored bytes of the entries, joined; nothing is parsed or encoded. */
function storedJson(options: ListBodyOptions): { readonly pieces: Iterable<Buffer>; readonly byteLength: number } {
  const { served, entries } = options;
  const { head, tail, itemsKey } = listForm(options);
  const changed = entries.every((entry) => served.showsAsStored(entry))
    ? undefined
    : entries.map((entry) => served.bytesOf(entry));
  const document = {
    head: jsonHead(head, itemsKey),
    tail: jsonTail(tail),
    count: entries.length,
    typeMetaLength: served.typeMetaLength,
    lengthAt: (index: number) => (changed?.[index] ?? (entries[index] as CacheEntry)).length,
    copyTo: (index: number, target: Buffer, at: number, from: number) =>
      changed === undefined
        ? (entries[index] as CacheEntry).copyTo(target, at, from)
        : void (changed[index] as Buffer).copy(target, at, from),
  };
  return { pieces: joinItems(document), byteLength: joinedLength(document) };
}

/** Yields the items in the form in which they are shown, parsed and made one by one. */
async function* itemsOf(options: ListBodyOptions, form: ListForm): AsyncGenerator<JsonObject> {
  const { entries, context, served, reviseItem = asItIs } = options;
  if (form.compare === undefined) {
    for (const entry of entries) {
      await context.yield();
      yield reviseItem(form.itemOf(served.rowOfEntry(entry)));
    }
    return;
  }
  const objects: JsonObject[] = [];
  for (const entry of entries) {
    await context.yield();
    objects.push(entry.object());
  }
  for (const object of objects.sort(form.compare)) {
    await context.yield();
    yield reviseItem(form.itemOf(object));
  }
}

function asItIs(item: JsonObject): JsonObject {
  return item;
}

function jsonTail(tail: JsonObject): Buffer {
  const members = encodeJson(tail).slice(1);
  return Buffer.from(members === "}" ? "]}" : `],${members}`);
}

function jsonHead(head: JsonObject, itemsKey: string): Buffer {
  return Buffer.from(`${encodeJson(head).slice(0, -1)},"${itemsKey}":[`);
}

/** Returns the members that replace an empty list of items, in JSON and YAML; undefined for other lists. */
function insteadOfItems({ served, representation, entries }: ListBodyOptions): JsonObject | undefined {
  if (entries.length > 0) {
    return undefined;
  }
  if (representation.as === "PartialObjectMetadataList") {
    return { items: null };
  }
  // Lists of a few kinds leave them out.
  return representation.as === undefined && !served.listSchema.properties.get("items")?.required ? {} : undefined;
}

/** Yields JSON that must be made anew: tables, lists of metadata, converted objects. */
async function* builtJson(options: ListBodyOptions, end: string): AsyncGenerator<Buffer> {
  const form = listForm(options);
  const noItems = insteadOfItems(options);
  if (noItems !== undefined) {
    yield Buffer.from(encodeJson({ ...form.head, ...noItems, ...form.tail }) + end);
    return;
  }
  const head = jsonHead(form.head, form.itemsKey);
  let separator = "";
  let pending = "";
  let isFirst = true;
  for await (const item of itemsOf(options, form)) {
    pending += separator + encodeJson(item);
    separator = ",";
    if (pending.length >= pieceBytes) {
      const piece = Buffer.from(pending);
      yield isFirst ? Buffer.concat([head, piece]) : piece;
      isFirst = false;
      pending = "";
    }
  }
  const last = Buffer.concat([Buffer.from(pending), jsonTail(form.tail), Buffer.from(end)]);
  yield isFirst ? Buffer.concat([head, last]) : last;
}

function* ended(pieces: Iterable<Buffer>): Generator<Buffer> {
  yield* pieces;
  yield newline;
}

async function* indented(
  pieces: AsyncIterable<Buffer> | Iterable<Buffer>,
  context: Pick<StepContext, "yield">,
): AsyncGenerator<Buffer> {
  const indenter = new JsonIndenter();
  for await (const piece of pieces) {
    await context.yield();
    yield indenter.push(piece);
  }
}

/**
 * Yields a list in protobuf. The length of all stands before everything, so all items are encoded before the first
 * piece is there.
 */
async function* protobufPieces(options: ListBodyOptions): AsyncGenerator<Buffer> {
  const { served, representation } = options;
  const form = listForm(options);
  const schema =
    representation.as === undefined
      ? served.listSchema
      : messageSchema(`k8s.io.apimachinery.pkg.apis.meta.v1.${representation.as}`);
  const encodeItems = protobufMemberEncoder(schema, "items");
  const encoded = [encodeProtobuf(schema, form.head)];
  let length = encoded[0]?.length ?? 0;
  for await (const item of itemsOf(options, form)) {
    const bytes = encodeItems({ items: [item] });
    encoded.push(bytes);
    length += bytes.length;
  }
  const { kind, apiVersion } = form.head as { kind: string; apiVersion: string };
  const envelope = envelopeAround(apiVersion, kind, length);
  yield* grouped([envelope.head, ...encoded, envelope.tail]);
}

/** Buffers joined to pieces that are worth a write. */
function* grouped(buffers: readonly Buffer[]): Generator<Buffer> {
  let start = 0;
  let size = 0;
  for (const [index, buffer] of buffers.entries()) {
    size += buffer.length;
    if (size >= pieceBytes || index === buffers.length - 1) {
      yield Buffer.concat(buffers.slice(start, index + 1), size);
      start = index + 1;
      size = 0;
    }
  }
}

async function* yamlPieces(options: ListBodyOptions): AsyncGenerator<Buffer> {
  const form = listForm(options);
  const items: JsonObject[] = [];
  for await (const item of itemsOf(options, form)) {
    items.push(item);
  }
  const shown = insteadOfItems(options) ?? { [form.itemsKey]: items };
  for (const chunk of encodeYamlChunks({ ...form.head, ...shown, ...form.tail })) {
    await options.context.yield();
    yield Buffer.from(chunk);
  }
}
