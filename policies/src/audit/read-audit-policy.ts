import { decodeJson, parseYaml } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { kindSchema } from "@gatehouse/envelopes/schema";
import type { auditV1 } from "@gatehouse/envelopes/types";
import { auditPolicyErrors } from "./validate-audit-policy.js";

/** The outcome of reading a Policy document: the policy, or all its errors. Each text can be shown alone. */
export type AuditPolicyReading =
  | { readonly policy: auditV1.Policy; readonly warnings: readonly string[] }
  | { readonly policy: undefined; readonly errors: readonly string[]; readonly warnings: readonly string[] };

const group = "audit.k8s.io";
const version = "v1";

/** Reads and checks a Policy in YAML or JSON. Unknown and duplicate members become warnings, as in v1.29. */
export async function parseAuditPolicy(text: string): Promise<AuditPolicyReading> {
  try {
    const { value, duplicateKeys } = await parseYaml(text);
    return readAuditPolicy(value, duplicateKeys);
  } catch (error) {
    if (error instanceof DecodeError) {
      return refused([error.message]);
    }
    throw error;
  }
}

/** Reads and checks a Policy document that has been parsed. */
export function readAuditPolicy(document: JsonValue, duplicateKeys: readonly string[] = []): AuditPolicyReading {
  const schema = kindSchema(group, version, "Policy")?.schema;
  if (schema === undefined) {
    throw new Error("no schema for Policy");
  }
  if (!isJsonObject(document)) {
    return refused(["the document is not an object"]);
  }
  const { apiVersion, kind } = document;
  if (kind !== "Policy" || apiVersion !== `${group}/${version}`) {
    const other = typeof kind === "string" && typeof apiVersion === "string";
    const found = other ? `, not ${JSON.stringify(kind)} of ${JSON.stringify(apiVersion)}` : ", and say so";
    return refused([`the document must be a Policy of ${group}/${version}${found}`]);
  }
  try {
    const { object, unknownFields } = decodeJson(schema, document);
    return checked(object, [...duplicateKeys, ...unknownFields.map((path) => `unknown field ${JSON.stringify(path)}`)]);
  } catch (error) {
    if (error instanceof DecodeError) {
      return refused([error.message]);
    }
    throw error;
  }
}

function checked(object: JsonObject, warnings: readonly string[]): AuditPolicyReading {
  const members = object as unknown as auditV1.Policy;
  const policy = { ...members, rules: members.rules ?? [] };
  const errors = auditPolicyErrors(policy).map(({ field, message }) => `${field}: ${message}`);
  if (policy.rules.length === 0) {
    errors.push("loaded illegal policy with 0 rules");
  }
  return errors.length === 0 ? { policy, warnings } : { policy: undefined, errors, warnings };
}

function refused(errors: readonly string[]): AuditPolicyReading {
  return { policy: undefined, errors, warnings: [] };
}
