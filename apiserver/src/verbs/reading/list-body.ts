import {
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
  const showsEntries =
    representation.as === undefined && options.reviseItem === undefined && insteadOfItems(options) === undefined;
  if (showsEntries && options.served.form.joinsEntries) {
    const { pieces, byteLength } = joinedJson(options);
    return pretty
      ? { pieces: indented(pieces, context), byteLength: undefined }
      : { pieces: ended(pieces), byteLength: byteLength + newline.length };
  }
  return {
    pieces: pretty ? indented(builtJson(options, ""), context) : builtJson(options, "\n"),
    byteLength: undefined,
  };
}

/** The layout of a list: the members around its items, and how an item is made of a row. */
interface ListLayout {
  readonly head: JsonObject;
  /** The members behind the items: lists of custom kinds have their members in the order of the names. */
  readonly tail: JsonObject;
  readonly itemsKey: "items" | "rows";
  readonly itemOf: (row: JsonObject) => JsonObject;
  /** The order of the items, where it is not that of the list. */
  readonly compare: ((a: JsonObject, b: JsonObject) => number) | undefined;
}

function listLayout(options: ListBodyOptions): ListLayout {
  const { served, listMeta, representation } = options;
  const { form } = served;
  const { as, asVersion } = representation;
  if (as === "Table") {
    const table: TableOptions = {
      definition: served.table,
      rows: form,
      includeObject: options.includeObject,
      listMeta,
      version: asVersion,
      context: { now: options.nowMs },
    };
    const compare = served.table.compare?.bind(served.table);
    return { head: tableHead(table), tail: {}, itemsKey: "rows", itemOf: (object) => tableRow(object, table), compare };
  }
  if (as === undefined) {
    const itemOf = (row: JsonObject): JsonObject => form.toItem(row);
    return { ...form.listFrame(served.listKind, listMeta), itemsKey: "items", itemOf, compare: undefined };
  }
  const itemOf = (row: JsonObject): JsonObject => partialMetadata(form.metadataOfRow(row), asVersion);
  const head = { kind: as, apiVersion: `meta.k8s.io/${asVersion}`, metadata: listMeta };
  return { head, tail: {}, itemsKey: "items", itemOf, compare: undefined };
}

/** Returns the JSON of the entries, joined; nothing is parsed or encoded. */
function joinedJson(options: ListBodyOptions): { readonly pieces: Iterable<Buffer>; readonly byteLength: number } {
  const { served, entries } = options;
  const { form } = served;
  const { head, tail, itemsKey } = listLayout(options);
  const changed = entries.every((entry) => form.isCurrent(entry))
    ? undefined
    : entries.map((entry) => form.encode(entry));
  const document = {
    head: jsonHead(head, itemsKey),
    tail: jsonTail(tail),
    count: entries.length,
    typeMetaLength: form.typeMetaLength,
    lengthAt: (index: number) => (changed?.[index] ?? (entries[index] as CacheEntry)).length,
    copyTo: (index: number, target: Buffer, at: number, from: number) =>
      changed === undefined
        ? (entries[index] as CacheEntry).copyTo(target, at, from)
        : void (changed[index] as Buffer).copy(target, at, from),
  };
  return { pieces: joinItems(document), byteLength: joinedLength(document) };
}

/** Yields the items in the form in which they are shown, parsed and made one by one. */
async function* itemsOf(options: ListBodyOptions, layout: ListLayout): AsyncGenerator<JsonObject> {
  const { entries, context, served, reviseItem = asItIs } = options;
  if (layout.compare === undefined) {
    for (const entry of entries) {
      await context.yield();
      yield reviseItem(layout.itemOf(served.form.decodeRow(entry)));
    }
    return;
  }
  const objects: JsonObject[] = [];
  for (const entry of entries) {
    await context.yield();
    objects.push(served.form.decodeRow(entry));
  }
  for (const object of objects.sort(layout.compare)) {
    await context.yield();
    yield reviseItem(layout.itemOf(object));
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
  if (representation.as === "Table") {
    return served.table.hasNullRows ? { rows: null } : undefined;
  }
  // Lists of a few kinds leave them out.
  return representation.as === undefined && !served.listSchema.properties.get("items")?.required ? {} : undefined;
}

/** Yields JSON that must be made anew: tables, lists of metadata, converted objects. */
async function* builtJson(options: ListBodyOptions, end: string): AsyncGenerator<Buffer> {
  const layout = listLayout(options);
  const noItems = insteadOfItems(options);
  if (noItems !== undefined) {
    yield Buffer.from(encodeJson({ ...layout.head, ...noItems, ...layout.tail }) + end);
    return;
  }
  const head = jsonHead(layout.head, layout.itemsKey);
  let separator = "";
  let pending = "";
  let isFirst = true;
  for await (const item of itemsOf(options, layout)) {
    pending += separator + encodeJson(item);
    separator = ",";
    if (pending.length >= pieceBytes) {
      const piece = Buffer.from(pending);
      yield isFirst ? Buffer.concat([head, piece]) : piece;
      isFirst = false;
      pending = "";
    }
  }
  const last = Buffer.concat([Buffer.from(pending), jsonTail(layout.tail), Buffer.from(end)]);
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
  const layout = listLayout(options);
  const schema =
    representation.as === undefined
      ? served.listSchema
      : messageSchema(`k8s.io.apimachinery.pkg.apis.meta.v1.${representation.as}`);
  const encodeItems = protobufMemberEncoder(schema, "items");
  const encoded = [encodeProtobuf(schema, layout.head)];
  let length = encoded[0]?.length ?? 0;
  for await (const item of itemsOf(options, layout)) {
    const bytes = encodeItems({ items: [item] });
    encoded.push(bytes);
    length += bytes.length;
  }
  const { kind, apiVersion } = layout.head as { kind: string; apiVersion: string };
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
  const layout = listLayout(options);
  const items: JsonObject[] = [];
  for await (const item of itemsOf(options, layout)) {
    items.push(item);
  }
  const shown = insteadOfItems(options) ?? { [layout.itemsKey]: items };
  for (const chunk of encodeYamlChunks({ ...layout.head, ...shown, ...layout.tail })) {
    await options.context.yield();
    yield Buffer.from(chunk);
  }
}
