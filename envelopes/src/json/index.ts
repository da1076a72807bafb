export { isInt64 } from "./int64.js";
export { isSameJson } from "./is-same-json.js";
export { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "./json.js";
export {
  booleanAt,
  conditionOfType,
  integerAt,
  isSet,
  listAt,
  objectAt,
  scalarAt,
  textAt,
  textsAt,
  valueAt,
} from "./json-fields.js";
export { ownList, ownObject } from "./own-members.js";
