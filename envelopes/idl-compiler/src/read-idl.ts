import protobuf from "protobufjs";
import {
  type IdlEnum,
  type IdlField,
  type IdlFieldOptions,
  type IdlFile,
  type IdlKind,
  type IdlMessage,
  isProtoScalar,
  type Wire,
} from "./idl.js";

/** A `.proto` text with the name it is known by (`apps.v1`). */
export interface IdlSource {
  readonly name: string;
  readonly text: string;
}

/** Parses all files of the IDL together, since they refer to each other. Throws on names that lead nowhere. */
export function readIdl(sources: readonly IdlSource[]): IdlFile[] {
  const parsed = sources.map((source) => parseFile(source));
  const known = new Set(parsed.flatMap((file) => file.types.map((type) => `${file.package}.${type.name}`)));
  return parsed.map((file) => ({
    name: file.name,
    package: file.package,
    groupVersion: firstOption(file.options, "(idl.group_version)") as IdlFile["groupVersion"],
    enums: file.options.flatMap((option) => ("(idl.enum)" in option ? [toEnum(option["(idl.enum)"])] : [])),
    messages: file.types.map((type) => toMessage(type, file.package, known)),
  }));
}

type Options = readonly Readonly<Record<string, unknown>>[];

interface ParsedFile {
  readonly name: string;
  readonly package: string;
  readonly options: Options;
  readonly types: readonly protobuf.Type[];
}

function parseFile(source: IdlSource): ParsedFile {
  // A root for each file: protobufjs keeps file options on the package, and some packages contain others.
  const { root, package: packageName } = protobuf.parse(source.text, new protobuf.Root(), {
    keepCase: true,
    alternateCommentMode: true,
  });
  if (packageName === undefined) {
    throw new Error(`${source.name}.proto declares no package`);
  }
  const namespace = root.lookup(packageName);
  const nested = namespace instanceof protobuf.Namespace ? namespace.nestedArray : [];
  return {
    name: source.name,
    package: packageName,
    options: namespace?.parsedOptions ?? [],
    types: nested.filter((object): object is protobuf.Type => object instanceof protobuf.Type),
  };
}

function toEnum(value: unknown): IdlEnum {
  const { name, values, open } = value as { name: string; values: string | string[]; open?: boolean };
  return { name, values: asList(values), open: open === true };
}

function toMessage(type: protobuf.Type, packageName: string, known: ReadonlySet<string>): IdlMessage {
  const options = type.parsedOptions ?? [];
  return {
    name: type.name,
    fullName: `${packageName}.${type.name}`,
    description: toDescription(type.comment),
    kind: firstOption(options, "(idl.kind)") as IdlKind | undefined,
    wire: (firstOption(options, "(idl.wire)") as Wire | undefined) ?? "OBJECT",
    jsonOnly: firstOption(options, "(idl.json_only)") === true,
    map: firstOption(options, "(idl.map)") as IdlMessage["map"],
    union: firstOption(options, "(idl.union)") === true,
    fields: type.fieldsArray.map((field) => toField(field, packageName, known)),
  };
}

function toField(field: protobuf.Field, packageName: string, known: ReadonlySet<string>): IdlField {
  const options = field.parsedOptions ?? [];
  const own = (firstOption(options, "(idl.field)") ?? {}) as Record<string, unknown>;
  const named = own["named"] as string | undefined;
  const fieldOptions = {
    ...own,
    ...(named === undefined ? {} : { named: named.includes(".") ? named : `${packageName}.${named}` }),
    keys: asList(own["keys"]),
    patch: asList(own["patch"]),
    gate: asList(own["gate"]),
  } as IdlFieldOptions;
  return {
    name: (firstOption(options, "json_name") as string | undefined) ?? field.name,
    description: toDescription(field.comment),
    number: field.id,
    type: isProtoScalar(field.type) ? field.type : resolve(field.type, packageName, known),
    repeated: field.repeated,
    isMap: field instanceof protobuf.MapField,
    options: fieldOptions,
  };
}

/** Resolves a relative name by proto scoping: in the package, then in each package around it. */
function resolve(name: string, packageName: string, known: ReadonlySet<string>): string {
  const scopes = packageName.split(".");
  for (let length = scopes.length; length >= 0; length--) {
    const candidate = [...scopes.slice(0, length), name].join(".");
    if (known.has(candidate)) {
      return candidate;
    }
  }
  throw new Error(`${packageName} refers to ${name}, which no file defines`);
}

function firstOption(options: Options, name: string): unknown {
  return options.find((option) => name in option)?.[name];
}

function asList(value: unknown): string[] {
  return value === undefined ? [] : Array.isArray(value) ? value : [value as string];
}

/** Joins comment lines to one paragraph; an empty comment line starts a new one. */
function toDescription(comment: string | null | undefined): string {
  return (comment ?? "")
    .split("\n")
    .map((line) => line.trim())
    .join("\n")
    .replace(/([^\n])\n(?=[^\n])/g, "$1 ")
    .replace(/\n{2,}/g, "\n\n")
    .trim();
}
