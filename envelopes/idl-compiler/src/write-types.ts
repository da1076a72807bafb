import type { IdlEnum, IdlField, IdlFile, IdlMessage, Wire } from "./idl.js";

/** A generated TypeScript module: file name without extension, and the name it is exported under. */
export interface TypesModule {
  readonly fileName: string;
  readonly namespace: string;
  readonly text: string;
}

/** Returns TypeScript interfaces for every message and kind, one module for each file of the IDL. */
export function toTypesModules(files: readonly IdlFile[]): TypesModule[] {
  const types = new Map<string, TypeOwner>();
  const messages = new Map(files.flatMap((file) => file.messages).map((message) => [message.fullName, message]));
  for (const file of files) {
    for (const item of [...file.enums, ...file.messages]) {
      types.set(`${file.package}.${item.name}`, { file, name: item.name });
    }
  }
  return files.map((file) => ({
    fileName: file.name.replaceAll(".", "-"),
    namespace: namespaceOf(file),
    text: new ModuleWriter(file, types, messages).write(),
  }));
}

/** The barrel that gives each module its namespace. */
export function toTypesIndex(modules: readonly TypesModule[]): string {
  const lines = modules.map((module) => `export type * as ${module.namespace} from "./${module.fileName}.js";`);
  return `${header("envelopes/idl")}${lines.join("\n")}\n`;
}

interface TypeOwner {
  readonly file: IdlFile;
  readonly name: string;
}

/**
 * Returns the name of a file's namespace: `appsV1`; shared types, which have no version, are named after their home:
 * `apimachineryRuntime`.
 */
function namespaceOf(file: IdlFile): string {
  const [name = "", version] = file.name.split(".");
  return version === undefined ? `apimachinery${capitalize(name)}` : `${name}${capitalize(version)}`;
}

function capitalize(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function header(source: string): string {
  return `// Generated from ${source} by envelopes/idl-compiler; do not edit.\n`;
}

/** TypeScript types of messages that are not interfaces of their fields. */
const wireTypes: Partial<Record<Wire, string>> = {
  TIME: "string",
  MICRO_TIME: "string",
  DURATION: "string",
  QUANTITY: "string",
  INT_OR_STRING: "number | string",
  RAW_JSON: "JsonValue",
  FIELDS: "JsonObject",
  EMBEDDED: "JsonObject",
  ENVELOPE: "JsonObject",
  ITEMS: "string[]",
  SCHEMA_OR_ARRAY: "JSONSchemaProps | JSONSchemaProps[]",
  SCHEMA_OR_BOOL: "JSONSchemaProps | boolean",
  SCHEMA_OR_STRINGS: "JSONSchemaProps | string[]",
};

const scalarTypes: Readonly<Record<string, string>> = {
  string: "string",
  bool: "boolean",
  int32: "number",
  int64: "number",
  double: "number",
  bytes: "string",
};

/** Messages whose unset value is written as null although the member is not a pointer. */
const nullWhenUnset: readonly Wire[] = ["TIME", "MICRO_TIME", "EMBEDDED", "ENVELOPE"];

class ModuleWriter {
  readonly #file: IdlFile;
  readonly #types: ReadonlyMap<string, TypeOwner>;
  readonly #imports = new Map<string, string>();
  readonly #messages: ReadonlyMap<string, IdlMessage>;

  constructor(file: IdlFile, types: ReadonlyMap<string, TypeOwner>, messages: ReadonlyMap<string, IdlMessage>) {
    this.#file = file;
    this.#types = types;
    this.#messages = messages;
  }

  write(): string {
    const enums = this.#file.enums.map(enumText);
    const messages = this.#file.messages.flatMap((message) => this.#message(message));
    const body = [...enums, ...messages].join("\n");
    const json = ["JsonObject", "JsonValue"].filter((name) => new RegExp(`\\b${name}\\b`).test(body));
    const imports = [...this.#imports].sort().map(([name, path]) => `import type * as ${name} from "./${path}.js";\n`);
    const jsonImport = json.length === 0 ? "" : `import type { ${json.join(", ")} } from "../json/json.js";\n`;
    // An empty module would be a script and could not be re-exported.
    const text = body === "" ? "export type {};\n" : body;
    return `${header(`envelopes/idl/${this.#file.name}.proto`)}${jsonImport}${imports.join("")}\n${text}`;
  }

  #message(message: IdlMessage): string[] {
    if (message.wire === "TIMESTAMP") {
      return [];
    }
    const doc = docComment(message.description, "");
    const alias = wireTypes[message.wire];
    if (alias !== undefined) {
      return [`${doc}export type ${message.name} = ${alias};\n`];
    }
    const inlined = message.fields.filter((field) => field.options.inline === true);
    const heritage = inlined.map((field) => this.#name(field.type)).join(", ");
    const members = message.fields.filter((field) => field.options.inline !== true).map((field) => this.#member(field));
    const typeMeta = message.kind === undefined ? "" : this.#typeMeta(message);
    const open = `export interface ${message.name}${heritage === "" ? "" : ` extends ${heritage}`} {`;
    return [`${doc}${open}\n${typeMeta}${members.join("")}}\n`];
  }

  /**
   * Writes `kind` and `apiVersion`, optional because the items of a list lack them. Kinds of meta/v1 travel under any
   * group version.
   */
  #typeMeta(message: IdlMessage): string {
    const gv = this.#file.groupVersion;
    const anyVersion = gv === undefined || gv.group.startsWith("meta.");
    const apiVersion = anyVersion
      ? "string"
      : JSON.stringify(gv.group === "" ? gv.version : `${gv.group}/${gv.version}`);
    return `  kind?: ${JSON.stringify(message.name)};\n  apiVersion?: ${apiVersion};\n`;
  }

  #member(field: IdlField): string {
    const key = /^[A-Za-z_]\w*$/.test(field.name) ? field.name : JSON.stringify(field.name);
    const optional = field.options.required === true ? "" : "?";
    const gates = field.options.gate;
    const gateText = gates.length === 0 ? "" : `Feature gate: ${gates.join(", ")}.`;
    const doc = docComment([field.description, gateText].filter((text) => text !== "").join("\n\n"), "  ");
    return `${doc}  ${key}${optional}: ${this.#type(field)};\n`;
  }

  #type(field: IdlField): string {
    const item = this.#itemType(field);
    if (field.repeated) {
      return /[|&]/.test(item) ? `(${item})[]` : `${item}[]`;
    }
    if (field.isMap) {
      return `{ [key: string]: ${item} }`;
    }
    const wire = this.#messages.get(field.type)?.wire;
    const nullable = wire !== undefined && nullWhenUnset.includes(wire) && field.options.pointer !== true;
    return nullable ? `${item} | null` : item;
  }

  #itemType(field: IdlField): string {
    const { named, any } = field.options;
    if (any === true) {
      return "JsonValue";
    }
    if (field.type === "string" && named !== undefined && this.#types.has(named)) {
      return this.#name(named);
    }
    return scalarTypes[field.type] ?? this.#name(field.type);
  }

  #name(fullName: string): string {
    const owner = this.#types.get(fullName);
    if (owner === undefined) {
      throw new Error(`${fullName} is not defined`);
    }
    if (owner.file === this.#file) {
      return owner.name;
    }
    const namespace = namespaceOf(owner.file);
    this.#imports.set(namespace, owner.file.name.replaceAll(".", "-"));
    return `${namespace}.${owner.name}`;
  }
}

/** Returns the type of an enum. Open sets keep their known values for editors, and accept any string. */
function enumText(item: IdlEnum): string {
  const values = item.values.map((value) => JSON.stringify(value));
  return `export type ${item.name} = ${[...values, ...(item.open ? ["(string & {})"] : [])].join(" | ")};\n`;
}

function docComment(text: string, indent: string): string {
  if (text === "") {
    return "";
  }
  const lines = text.replaceAll("*/", "* /").split("\n");
  if (lines.length === 1) {
    return `${indent}/** ${lines[0]} */\n`;
  }
  return `${indent}/**\n${lines.map((line) => `${indent} * ${line}`.trimEnd()).join("\n")}\n${indent} */\n`;
}
