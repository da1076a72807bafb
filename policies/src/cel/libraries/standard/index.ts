import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listType,
  mapType,
  nullType,
  stringType,
  timestampType,
  uintType,
} from "../../types/cel-type.js";
import type { Library } from "../library.js";
import { conversions } from "./conversions.js";
import { numericComparisons, operators, optionalOperators } from "./operators.js";
import { texts } from "./texts.js";
import { times } from "./times.js";

const types: ReadonlyMap<string, CelType> = new Map<string, CelType>([
  ["bool", boolType],
  ["bytes", bytesType],
  ["double", doubleType],
  ["google.protobuf.Duration", durationType],
  ["int", intType],
  ["list", listType(dynType)],
  ["map", mapType(dynType, dynType)],
  ["null_type", nullType],
  ["string", stringType],
  ["google.protobuf.Timestamp", timestampType],
  ["type", { kind: "type", of: undefined }],
  ["uint", uintType],
]);

/** The operators and functions of the language itself. */
export const standardLibraries: readonly Library[] = [
  { name: "standard", introduced: [1, 0], functions: [...operators, ...conversions, ...texts, ...times], types },
  { name: "numeric comparisons", introduced: [1, 28], functions: numericComparisons },
  { name: "optional operators", introduced: [1, 28], functions: optionalOperators },
];
