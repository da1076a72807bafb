import { type IdlField, type IdlFile, type IdlMessage, isProtoScalar } from "./idl.js";
import {
  type DescriptionTable,
  type FieldExtras,
  type FieldRow,
  fieldFlags,
  type KindRow,
  type MessageRow,
  messageFlags,
  type NamedRow,
  type SchemaTable,
  scalarCodes,
  wireCodes,
} from "./table.js";

/** Turns the IDL into its precompiled form. */
export function toSchemaTable(files: readonly IdlFile[]): SchemaTable {
  const messages = allMessages(files);
  const messageIndex = new Map(messages.map((message, index) => [message.fullName, index]));
  const named = new NamedTypes(files);
  const rows: MessageRow[] = [];
  for (const [packageIndex, file] of files.entries()) {
    for (const message of file.messages) {
      const fields = message.fields.map((field) => toFieldRow(field, messageIndex, named));
      const row = [packageIndex, message.name, wireCodes.indexOf(message.wire), flagsOf(message), fields] as const;
      rows.push(message.kind === undefined ? row : [...row, toKindRow(message)]);
    }
  }
  return {
    packages: files.map(({ package: name, groupVersion: gv }) => (gv ? [name, gv.group, gv.version] : [name])),
    named: named.rows,
    messages: rows,
  };
}

/**
 * Collects the descriptions, in the order of the messages of `toSchemaTable`; empty ones at the end of a row are left
 * out.
 */
export function toDescriptionTable(files: readonly IdlFile[]): DescriptionTable {
  return allMessages(files).map((message) => {
    const texts = [message.description, ...message.fields.map((field) => field.description)];
    const last = texts.findLastIndex((text) => text !== "");
    return texts.slice(0, last + 1);
  });
}

function allMessages(files: readonly IdlFile[]): IdlMessage[] {
  return files.flatMap((file) => file.messages);
}

/** Gives each named type that a field uses an index. */
class NamedTypes {
  readonly rows: NamedRow[] = [];
  readonly #closed = new Map<string, readonly string[]>();
  readonly #index = new Map<string, number>();

  constructor(files: readonly IdlFile[]) {
    for (const file of files) {
      for (const item of file.enums) {
        if (!item.open) {
          this.#closed.set(`${file.package}.${item.name}`, item.values);
        }
      }
    }
  }

  indexOf(fullName: string): number {
    let index = this.#index.get(fullName);
    if (index === undefined) {
      const values = this.#closed.get(fullName);
      index = this.rows.push(values === undefined ? [fullName] : [fullName, values]) - 1;
      this.#index.set(fullName, index);
    }
    return index;
  }
}

function flagsOf(message: IdlMessage): number {
  return (
    (message.jsonOnly ? messageFlags.jsonOnly : 0) |
    (message.map === "ATOMIC" ? messageFlags.atomic : 0) |
    (message.map === "GRANULAR" ? messageFlags.granular : 0) |
    (message.union ? messageFlags.union : 0)
  );
}

function toKindRow({ kind }: IdlMessage): KindRow {
  return {
    ...(kind?.introduced === undefined ? {} : { i: kind.introduced }),
    ...(kind?.deprecated === undefined ? {} : { d: kind.deprecated }),
    ...(kind?.removed === undefined ? {} : { x: kind.removed }),
    ...(kind?.replacement === undefined ? {} : { r: kind.replacement }),
  };
}

function toFieldRow(field: IdlField, messageIndex: ReadonlyMap<string, number>, named: NamedTypes): FieldRow {
  const { options } = field;
  const scalar = options.any === true ? "any" : field.type;
  const type = isProtoScalar(field.type)
    ? -1 - (scalarCodes as readonly string[]).indexOf(scalar)
    : (messageIndex.get(field.type) ?? Number.NaN);
  const omitEmpty = options.required !== true && options.omitempty !== false && options.inline !== true;
  const flags =
    (field.repeated ? fieldFlags.repeated : 0) |
    (field.isMap ? fieldFlags.map : 0) |
    (options.required === true ? fieldFlags.required : 0) |
    (omitEmpty ? fieldFlags.omitEmpty : 0) |
    (options.pointer === true ? fieldFlags.pointer : 0) |
    (options.inline === true ? fieldFlags.inline : 0) |
    (options.discriminator === true ? fieldFlags.discriminator : 0) |
    (options.default !== undefined && options.publish_default !== true ? fieldFlags.unpublishedDefault : 0);
  const extras = toExtras(field, named);
  const row = [field.name, type, field.number, flags] as const;
  return Object.keys(extras).length === 0 ? row : [...row, extras];
}

const patchNames = { MERGE: "merge", REPLACE: "replace", RETAIN_KEYS: "retainKeys" } as const;

function toExtras(field: IdlField, named: NamedTypes): FieldExtras {
  const { options } = field;
  return {
    ...(options.named === undefined ? {} : { n: named.indexOf(options.named) }),
    ...(options.list === undefined ? {} : { l: options.list.toLowerCase() as "atomic" | "set" | "map" }),
    ...(options.keys.length === 0 ? {} : { k: options.keys }),
    ...(options.map === undefined ? {} : { m: options.map.toLowerCase() as "atomic" | "granular" }),
    ...(options.patch.length === 0 ? {} : { p: options.patch.map((name) => patchNames[name]) }),
    ...(options.merge_key === undefined ? {} : { g: options.merge_key }),
    ...(options.default === undefined ? {} : { d: defaultValue(field, options.default) }),
    ...(options.gate.length === 0 ? {} : { f: options.gate }),
    ...(options.min_length === undefined ? {} : { minLength: options.min_length }),
    ...(options.max_length === undefined ? {} : { maxLength: options.max_length }),
    ...(options.minimum === undefined ? {} : { minimum: options.minimum }),
    ...(options.pattern === undefined ? {} : { pattern: options.pattern }),
  };
}

function defaultValue(field: IdlField, text: string): unknown {
  return field.type === "string" && !field.repeated && !field.isMap ? text : JSON.parse(text);
}
