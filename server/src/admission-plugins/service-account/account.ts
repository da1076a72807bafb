import { metaOf } from "@gatehouse/apiserver/objects";
import { booleanAt, isSet, type JsonObject, listAt, textAt } from "@gatehouse/envelopes";

/** What pods get of their service account. */
export interface Account {
  readonly name: string;
  /** Undefined when the account says nothing. */
  readonly automount: boolean | undefined;
  readonly imagePullSecrets: readonly string[];
  readonly secrets: ReadonlySet<string>;
  /** Whether its pods may use no other secrets. */
  readonly limitsSecrets: boolean;
}

const enforceAnnotation = "kubernetes.io/enforce-mountable-secrets";

/** As Go's `strconv.ParseBool` takes them. */
const trueTexts: ReadonlySet<string> = new Set(["1", "t", "T", "TRUE", "true", "True"]);

export function accountOf(object: JsonObject): Account {
  const { name = "", annotations } = metaOf(object);
  return {
    name,
    automount: isSet(object, "automountServiceAccountToken")
      ? booleanAt(object, "automountServiceAccountToken")
      : undefined,
    imagePullSecrets: listAt(object, "imagePullSecrets").map((reference) => textAt(reference, "name")),
    secrets: new Set(listAt(object, "secrets").map((reference) => textAt(reference, "name"))),
    limitsSecrets: trueTexts.has(annotations?.[enforceAnnotation] ?? ""),
  };
}
