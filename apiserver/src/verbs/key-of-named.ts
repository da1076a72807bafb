import { goQuote } from "@gatehouse/envelopes/go";
import { badRequest } from "@gatehouse/envelopes/status";
import type { ServedResource } from "../registry/served-resource.js";

/**
 * Returns the storage key of the object that a request names. Throws 400 for a name that would not be one segment of a
 * path.
 */
export function keyOfNamed({ storage }: ServedResource, namespace: string, name: string): string {
  checkNameParameter(name);
  return storage.keyOf(namespace, name);
}

/** Throws 400 for what no object can be called. */
export function checkNameParameter(name: string): void {
  if (name === "") {
    throw badRequest("Name parameter required.");
  }
  const faults =
    name === "." || name === ".."
      ? [`may not be '${name}'`]
      : ["/", "%"].filter((character) => name.includes(character)).map((character) => `may not contain '${character}'`);
  if (faults.length > 0) {
    throw badRequest(`Name parameter invalid: ${goQuote(name)}: ${faults.join(";")}`);
  }
}
