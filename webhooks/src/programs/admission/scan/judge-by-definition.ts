import type { JsonObject } from "@gatehouse/envelopes/json";
import type { CustomKind } from "../../../toolkit/testing/custom-kind.js";
import { BadObjectError } from "../../../toolkit/testing/prepare-object.js";
import type { ScanResult } from "./scan-result.js";

/** A stored object as a definition reads it. */
export interface DefinedObject {
  readonly result: ScanResult;
  /** The object with the defaults of its schema; undefined if no server would take it. */
  readonly object: JsonObject | undefined;
}

/** Judges a stored object by the schema and the rules of a definition, as if it were written again. */
export function judgeByDefinition(
  kind: CustomKind,
  stored: JsonObject,
  resource: ScanResult["resource"],
): DefinedObject {
  const of = (result: ScanResult["result"], message: string): ScanResult => ({
    resource,
    policy: kind.definition,
    result,
    message,
  });
  try {
    const { object, unknownFields } = kind.read(stored);
    const findings = kind.validate({ object, old: undefined, subresource: "" });
    if (findings.errors.length > 0) {
      return { object: undefined, result: of("fail", kind.refusal(object, findings).message) };
    }
    const lost = unknownFields.map((field) => JSON.stringify(field)).join(", ");
    return { object, result: lost === "" ? of("pass", "") : of("warn", `would be stored without ${lost}`) };
  } catch (error) {
    if (error instanceof BadObjectError) {
      return { object: undefined, result: of("fail", error.message) };
    }
    throw error;
  }
}
