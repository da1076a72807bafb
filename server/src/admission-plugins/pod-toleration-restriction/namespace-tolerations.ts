import { metaOf } from "@gatehouse/apiserver/objects";
import { parseJson } from "@gatehouse/envelopes/codec";
import { isJsonObject, type JsonArray, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";

const defaultsAnnotation = "scheduler.alpha.kubernetes.io/defaultTolerations";
const allowedAnnotation = "scheduler.alpha.kubernetes.io/tolerationsWhitelist";

/** The tolerations in the annotations of a namespace; undefined where it has none. */
export interface NamespaceTolerations {
  readonly defaults: Stated;
  readonly allowed: Stated;
}

/** A list, the fault that keeps it from being read, or undefined for no annotation. */
export type Stated = { readonly list: JsonArray } | { readonly problem: string } | undefined;

export function namespaceTolerationsOf(namespace: JsonObject): NamespaceTolerations {
  const { annotations = {} } = metaOf(namespace);
  return { defaults: read(annotations[defaultsAnnotation]), allowed: read(annotations[allowedAnnotation]) };
}

function read(text: string | undefined): Stated {
  if (text === undefined || text === "") {
    return text === undefined ? undefined : { list: [] };
  }
  let value: JsonValue;
  try {
    ({ value } = parseJson(text));
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) };
  }
  if (value === null) {
    return { list: [] };
  }
  return Array.isArray(value) && value.every(isToleration)
    ? { list: value.map(knownMembers) }
    : { problem: "json: cannot unmarshal the annotation into a list of tolerations" };
}

const texts = ["key", "operator", "value", "effect"];

function isToleration(value: JsonValue): value is JsonObject {
  return (
    isJsonObject(value) &&
    texts.every((member) => ["string", "undefined"].includes(typeof value[member])) &&
    ["number", "undefined"].includes(typeof value["tolerationSeconds"])
  );
}

function knownMembers(toleration: JsonValue): JsonObject {
  const members = [...texts, "tolerationSeconds"].map((member) => [member, (toleration as JsonObject)[member]]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined && value !== "")) as JsonObject;
}
