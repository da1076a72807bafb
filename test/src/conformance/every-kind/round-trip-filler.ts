import type { JsonObject, JsonValue } from "@gatehouse/envelopes/json";
import type { Field, ObjectSchema, ScalarSchema, Schema, UnionSchema } from "@gatehouse/envelopes/schema";

/**
 * An object with every member set, filled as the recorded round-trip data of Kubernetes is: text is the JSON name and
 * `Value`, a number is the number of its protobuf field, a time lies in the year 2000 plus that number. A message inside
 * itself stays empty.
 */
export function filledForRoundTrip(schema: ObjectSchema): JsonObject {
  return fillObject(schema, { inside: [], form: "recorded" });
}

/** Returns a filled object in another JSON form, for values whose recorded form is not the only one. */
export function filledInOtherForms(schema: ObjectSchema): JsonObject {
  return fillObject(schema, { inside: [], form: "other" });
}

interface Way {
  /** Names of the messages around. */
  readonly inside: readonly string[];
  readonly form: "recorded" | "other";
}

interface Place {
  /** JSON name of the member. */
  readonly name: string;
  readonly number: number;
}

const customObject: JsonObject = {
  apiVersion: "example.com/v1",
  kind: "CustomType",
  spec: { replicas: 1 },
  status: { available: 1 },
};

function fillObject(schema: ObjectSchema, way: Way): JsonObject {
  const object: JsonObject = {};
  if (way.inside.includes(schema.name)) {
    return object;
  }
  const within: Way = { ...way, inside: [...way.inside, schema.name] };
  for (const [index, field] of schema.fields.entries()) {
    if (!isTypeMeta(schema, field) && !leadsBack(field, within)) {
      fillMember(object, field, { name: field.name, number: field.number ?? index + 1 }, within);
    }
  }
  return object;
}

/** Kind and version are the caller's to write, and no part of the message. */
function isTypeMeta(schema: ObjectSchema, field: Field): boolean {
  return schema.hasProtobuf && field.number === undefined && (field.name === "kind" || field.name === "apiVersion");
}

/** A pointer to what it is part of stays unset; lists and maps of it get one empty element. */
function leadsBack(field: Field, { inside }: Way): boolean {
  return field.pointer && field.schema.type === "object" && inside.includes(field.schema.name);
}

function fillMember(object: JsonObject, field: Field, place: Place, way: Way): void {
  const { schema } = field;
  if (!field.inline) {
    object[field.name] = fillValue(schema, place, way);
  } else if (schema.type === "object") {
    Object.assign(object, fillObject(schema, way));
  }
}

function fillValue(schema: Schema, place: Place, way: Way): JsonValue {
  switch (schema.type) {
    case "scalar":
      return fillScalar(schema, place, way);
    case "object":
      return fillObject(schema, way);
    case "list":
      return [fillValue(schema.items, place, way)];
    case "map":
      return { [`${place.name}Key`]: isTime(schema.values) ? null : fillValue(schema.values, place, way) };
    case "json":
      return fillJson(schema.form, place, way);
    case "union":
      return fillUnion(schema, way);
  }
}

function fillUnion({ form, object }: UnionSchema, way: Way): JsonValue {
  if (way.form === "other") {
    return form === "schemaOrBool" ? false : fillObject(object, way);
  }
  switch (form) {
    case "schemaOrArray":
      return [fillObject(object, way)];
    case "schemaOrBool":
      return true;
    default:
      return ["<no json tag> PropertyValue"];
  }
}

/** The recorded data have no times in maps. */
function isTime(schema: Schema): boolean {
  return schema.type === "scalar" && schema.scalar === "time";
}

function fillJson(form: "value" | "fields" | "embedded" | "envelope", place: Place, way: Way): JsonValue {
  switch (form) {
    case "value":
      return way.form === "other" ? { list: [1, -2.5, null, true], text: "<&>" } : `${place.name}Value`;
    case "fields":
      return way.form === "other" ? { "f:spec": { "f:replicas": {} } } : {};
    default:
      return customObject;
  }
}

function fillScalar({ scalar }: ScalarSchema, { name, number }: Place, way: Way): JsonValue {
  const moment = `${2000 + number}-01-01T01:01:01`;
  switch (scalar) {
    case "boolean":
      return true;
    case "int32":
    case "int64":
      return number;
    case "double":
      return number + 0.5;
    case "bytes":
      return Buffer.from([number]).toString("base64");
    case "time":
      return `${moment}Z`;
    case "microTime":
      return `${moment}.${String(number).padStart(6, "0")}Z`;
    case "duration":
      return `${number}s`;
    case "quantity":
      return way.form === "other" ? `${number}500m` : "0";
    case "intOrString":
      return way.form === "other" ? number : `${name}Value`;
    default:
      return `${name}Value`;
  }
}
