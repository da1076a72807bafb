import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { compilePattern, matchWork, type Pattern } from "../../patterns/index.js";
import { EnumValues } from "./enum-values.js";
import { formatCheckOf } from "./formats/index.js";

/**
 * Objects are checked by a schema as it is published, where `x-kubernetes-int-or-string` stands for two types, without the
 * formats that v1.29 does not know; defaults by its structural form, where it stands for none, with all formats.
 */
export type SchemaForm = "published" | "structural";

/**
 * The rules of one node of an openAPIV3Schema, each part compiled when it is used. Nodes below are compiled when a
 * value first leads to them: most objects use few of the members that their kind has.
 */
export class CompiledSchema {
  /** The JSON type names that are allowed; none where any type is. */
  readonly types: readonly string[];
  readonly nullable: boolean;
  /** The format as the definition spells it; empty where there is none that counts. */
  readonly format: string;
  readonly hasFormat: ((text: string) => boolean) | undefined;
  readonly enum: EnumValues | undefined;
  readonly maxLength: number | undefined;
  readonly minLength: number | undefined;
  readonly maximum: number | undefined;
  readonly minimum: number | undefined;
  readonly exclusiveMaximum: boolean;
  readonly exclusiveMinimum: boolean;
  readonly multipleOf: number | undefined;
  readonly maxItems: number | undefined;
  readonly minItems: number | undefined;
  readonly maxProperties: number | undefined;
  readonly minProperties: number | undefined;
  readonly required: readonly string[];
  readonly hasAlternatives: boolean;
  /** True if texts have to match a pattern, which takes longer than other checks. */
  readonly hasPattern: boolean;
  readonly #source: JsonObject;
  readonly #form: SchemaForm;
  readonly #children = new Map<string, CompiledSchema | undefined>();
  /** The properties that values have led to. */
  readonly #properties = new Map<string, CompiledSchema>();
  #pattern: Pattern | undefined;
  #lists: ReadonlyMap<string, readonly CompiledSchema[]> | undefined;

  /** `form` is the part of the schema that counts; see SchemaForm. */
  constructor(source: JsonObject, form: SchemaForm = "published") {
    this.#source = source;
    this.#form = form;
    const { format } = source;
    this.types = typesOf(source, form);
    this.nullable = source["nullable"] === true;
    this.hasFormat = typeof format === "string" ? formatCheckOf(format) : undefined;
    const counts = typeof format === "string" && (form === "structural" || this.hasFormat !== undefined);
    this.format = counts ? format : "";
    this.enum = Array.isArray(source["enum"]) && source["enum"].length > 0 ? new EnumValues(source["enum"]) : undefined;
    this.maxLength = numberOf(source["maxLength"]);
    this.minLength = numberOf(source["minLength"]);
    this.maximum = numberOf(source["maximum"]);
    this.minimum = numberOf(source["minimum"]);
    this.exclusiveMaximum = source["exclusiveMaximum"] === true;
    this.exclusiveMinimum = source["exclusiveMinimum"] === true;
    this.multipleOf = numberOf(source["multipleOf"]);
    this.maxItems = numberOf(source["maxItems"]);
    this.minItems = numberOf(source["minItems"]);
    this.maxProperties = numberOf(source["maxProperties"]);
    this.minProperties = numberOf(source["minProperties"]);
    const { required } = source;
    this.required = Array.isArray(required) ? required.filter((name) => typeof name === "string") : [];
    this.hasPattern = typeof source["pattern"] === "string" && source["pattern"] !== "";
    this.hasAlternatives = ["anyOf", "oneOf", "allOf", "not"].some((name) => source[name] !== undefined);
  }

  /** The pattern that texts have to match; undefined where there is none. */
  get pattern(): Pattern | undefined {
    const { pattern } = this.#source;
    if (typeof pattern !== "string" || pattern === "") {
      return undefined;
    }
    this.#pattern ??= compilePattern(pattern);
    return this.#pattern;
  }

  /** Returns about how many nanoseconds it takes to match a text, and to compile the pattern if that has not been done yet. */
  patternWork(text: string): number {
    const compiled = this.#pattern;
    const pattern = compiled ?? this.pattern;
    return pattern === undefined ? 0 : matchWork(pattern, text) + (compiled === undefined ? pattern.compileWork : 0);
  }

  get items(): CompiledSchema | undefined {
    return this.#child("items", this.#source["items"]);
  }

  get additionalProperties(): CompiledSchema | undefined {
    return this.#child("additionalProperties", this.#source["additionalProperties"]);
  }

  get not(): CompiledSchema | undefined {
    return this.#child("not", this.#source["not"]);
  }

  property(name: string): CompiledSchema | undefined {
    const known = this.#properties.get(name);
    if (known !== undefined) {
      return known;
    }
    const { properties } = this.#source;
    const source = isJsonObject(properties) && Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (!isJsonObject(source)) {
      return undefined;
    }
    const property = new CompiledSchema(source, this.#form);
    this.#properties.set(name, property);
    return property;
  }

  alternatives(name: "anyOf" | "oneOf" | "allOf"): readonly CompiledSchema[] {
    this.#lists ??= new Map(
      ["anyOf", "oneOf", "allOf"].map((list) => [list, compiledSchemasOf(this.#source[list], this.#form)] as const),
    );
    return this.#lists.get(name) ?? [];
  }

  #child(key: string, source: JsonValue | undefined): CompiledSchema | undefined {
    if (!this.#children.has(key)) {
      this.#children.set(key, isJsonObject(source) ? new CompiledSchema(source, this.#form) : undefined);
    }
    return this.#children.get(key);
  }
}

function compiledSchemasOf(list: JsonValue | undefined, form: SchemaForm): readonly CompiledSchema[] {
  return Array.isArray(list) ? list.filter(isJsonObject).map((source) => new CompiledSchema(source, form)) : [];
}

function typesOf(source: JsonObject, form: SchemaForm): readonly string[] {
  const { type } = source;
  if (source["x-kubernetes-int-or-string"] === true && form === "published") {
    return ["integer", "string"];
  }
  return typeof type === "string" && type !== "" ? [type] : [];
}

function numberOf(value: JsonValue | undefined): number | undefined {
  return typeof value === "number" || typeof value === "bigint" ? Number(value) : undefined;
}
