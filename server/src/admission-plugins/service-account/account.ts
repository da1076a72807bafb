import { metaOf } from "@gatehouse/apiserver/objects";
import { parseGoBoolean } from "@gatehouse/envelopes/go";
import { booleanAt, isSet, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";

/** The properties that pods get of their service account. */
export interface Account {
  readonly name: string;
  /** The member `automountServiceAccountToken`; undefined when it is not set. */
  readonly automount: boolean | undefined;
  readonly imagePullSecrets: readonly string[];
  readonly secrets: ReadonlySet<string>;
  /** True if its pods may use no other secrets. */
  readonly limitsSecrets: boolean;
}

const enforceAnnotation = "kubernetes.io/enforce-mountable-secrets";

export function accountOf(object: JsonObject): Account {
  const { name = "", annotations } = metaOf(object);
  return {
    name,
    automount: isSet(object, "automountServiceAccountToken")
      ? booleanAt(object, "automountServiceAccountToken")
      : undefined,
    imagePullSecrets: listAt(object, "imagePullSecrets").map((reference) => textAt(reference, "name")),
    secrets: new Set(listAt(object, "secrets").map((reference) => textAt(reference, "name"))),
    limitsSecrets: parseGoBoolean(annotations?.[enforceAnnotation] ?? "") === true,
  };
}
