import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { keyPairProblem } from "./key-pair.js";

/** Returns the warnings about a secret: a TLS key that does not belong to the certificate. */
export function secretWarnings(secret: JsonObject): readonly string[] {
  if (textAt(secret, "type") !== "kubernetes.io/tls") {
    return [];
  }
  const decoded = (name: string): string => Buffer.from(textAt(secret, "data", name), "base64").toString("latin1");
  const problem = keyPairProblem(decoded("tls.crt"), decoded("tls.key"));
  return problem === undefined ? [] : [problem];
}
