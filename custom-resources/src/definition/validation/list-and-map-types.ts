import { FieldErrors, FieldPath } from "@gatehouse/apiserver/validation";
import { isJsonObject, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { isPresent, propertiesOf } from "../../schema/structural-form.js";
import { goItems } from "./go-schema.js";

const listTypes = ["atomic", "set", "map"];
const listTypeMember = "x-kubernetes-list-type";
const mapTypeMember = "x-kubernetes-map-type";
const mapKeysMember = "x-kubernetes-list-map-keys";

/** Validates `x-kubernetes-map-type`. */
export function validateMapType(schema: JsonObject, path: FieldPath, errors: FieldErrors): void {
  if (!isPresent(schema[mapTypeMember])) {
    return;
  }
  requireType(schema, "object", mapTypeMember, path, errors);
  const mapType = textAt(schema, mapTypeMember);
  if (mapType !== "atomic" && mapType !== "granular") {
    errors.notSupported(path.child(mapTypeMember), mapType, ["atomic", "granular"]);
  }
}

/** Validates `x-kubernetes-list-type` and the keys of lists that are maps. */
export function validateListType(schema: JsonObject, atomicSets: boolean, path: FieldPath, errors: FieldErrors): void {
  const isStated = isPresent(schema[listTypeMember]);
  const listType = textAt(schema, listTypeMember);
  if (isStated && schema["type"] !== "array") {
    requireType(schema, "array", listTypeMember, path, errors);
  } else if (isStated && atomicSets && listType === "set") {
    validateSetItems(schema, path, errors);
  }
  if (isStated && !listTypes.includes(listType)) {
    errors.notSupported(path.child(listTypeMember), listType, listTypes);
  }
  const keys = listAt(schema, mapKeysMember);
  if (keys.length > 0 && listType !== "map") {
    const detail = `must be map if ${mapKeysMember} is non-empty`;
    if (isStated) {
      errors.invalid(path.child(listTypeMember), listType, detail);
    } else {
      errors.required(path.child(listTypeMember), detail);
    }
  }
  if (listType === "map") {
    validateMapList(schema, path, errors);
  }
}

/** Validates that items of sets and maps are never null, and that the keys of maps are always set. */
export function validateMapKeys(schema: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const { items } = schema;
  const listType = textAt(schema, listTypeMember);
  if (!isJsonObject(items) || (listType !== "set" && listType !== "map")) {
    return;
  }
  if (items["nullable"] === true) {
    const detail = `cannot be nullable when ${listTypeMember} is ${listType}`;
    errors.forbidden(path.child("items").child("nullable"), detail);
  }
  if (listType === "set") {
    return;
  }
  const required = new Set(listAt(items, "required"));
  const properties = new Map(propertiesOf(items));
  for (const key of listAt(schema, mapKeysMember)) {
    const property = properties.get(String(key));
    if (property === undefined) {
      continue;
    }
    const at = path.child("items").child("properties").key(String(key));
    const itIs = `this property is in ${mapKeysMember}, so it`;
    if (!required.has(key) && !isPresent(property["default"])) {
      errors.required(at.child("default"), `${itIs} must have a default or be a required property`);
    }
    if (property["nullable"] === true) {
      errors.forbidden(at.child("nullable"), `${itIs} cannot be nullable`);
    }
  }
}

/** Reports whether `validateMapKeys` finds an error at a node. */
export function hasWrongMapKeys(schema: JsonObject): boolean {
  const errors = new FieldErrors();
  validateMapKeys(schema, FieldPath.of(""), errors);
  return errors.list.length > 0;
}

/** Reports whether a node is a set whose items are not atomic, so that they cannot be compared as a whole. */
export function isNonAtomicSet(schema: JsonObject): boolean {
  const errors = new FieldErrors();
  if (textAt(schema, listTypeMember) === "set") {
    validateSetItems(schema, FieldPath.of(""), errors);
  }
  return errors.list.length > 0;
}

function validateSetItems(schema: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const { items } = schema;
  if (!isJsonObject(items)) {
    return;
  }
  const detail = `must be atomic as item of a list with ${listTypeMember}=set`;
  const ofItems = items[listTypeMember];
  if (items["type"] === "array" && isPresent(ofItems) && ofItems !== "atomic") {
    errors.invalid(path.child("items").child(listTypeMember), ofItems, detail);
  } else if (items["type"] === "object" && items[mapTypeMember] !== "atomic") {
    // v1.29 shows the list type of the items.
    errors.invalid(path.child("items").child(mapTypeMember), ofItems, detail);
  }
}

/** Limit on the names in all errors about wrong keys: each such error repeats all keys. */
const maxKeysTold = 100_000;

function validateMapList(schema: JsonObject, path: FieldPath, errors: FieldErrors): void {
  const { items } = schema;
  const keys = listAt(schema, mapKeysMember);
  if (keys.length === 0) {
    errors.required(path.child(mapKeysMember), `must not be empty if ${listTypeMember} is map`);
  }
  if (!isPresent(items)) {
    errors.required(path.child("items"), `must have a schema if ${listTypeMember} is map`);
    return;
  }
  const at = path.child("items");
  if (!isJsonObject(items)) {
    const detail = `must only have a single schema if ${listTypeMember} is map`;
    errors.add([
      { type: "FieldValueInvalid", field: String(at), message: `Invalid value: ${goItems(items ?? null)}: ${detail}` },
    ]);
    return;
  }
  const type = textAt(items, "type");
  if (type !== "object") {
    errors.invalid(at.child("type"), type, `must be object if parent array's ${listTypeMember} is map`);
    return;
  }
  const properties = new Map(propertiesOf(items));
  const seen = new Set<string>();
  let told = 0;
  for (const key of keys.map(String)) {
    // Each of these messages repeats all keys.
    if (errors.isFull || told * keys.length > maxKeysTold) {
      return;
    }
    const property = properties.get(key);
    if (property === undefined) {
      errors.invalid(path.child(mapKeysMember), keys, "entries must all be names of item properties");
      told++;
    } else if (property["type"] === "array" || property["type"] === "object") {
      // v1.29 shows the type of the items.
      const detail = `must be a scalar type if parent array's ${listTypeMember} is map`;
      errors.invalid(at.child("properties").key(key).child("type"), type, detail);
    }
    if (seen.has(key)) {
      errors.invalid(path.child(mapKeysMember), keys, "must not contain duplicate entries");
      told++;
    }
    seen.add(key);
  }
}

function requireType(
  schema: JsonObject,
  type: "array" | "object",
  because: string,
  path: FieldPath,
  errors: FieldErrors,
): void {
  const stated = textAt(schema, "type");
  const detail = `must be ${type} if ${because} is specified`;
  if (stated === "") {
    errors.required(path.child("type"), detail);
  } else if (stated !== type) {
    errors.invalid(path.child("type"), stated, detail);
  }
}
