import { badRequest } from "@gatehouse/envelopes";
import type { ServedResource } from "../catalogue/served-resource.js";

/** Where the object that a request names is stored. 400 for what no object can be called, since it would not be one segment of a path. */
export function keyOfNamed({ storage }: ServedResource, namespace: string, name: string): string {
  const fault =
    name === "." || name === ".." ? `may not be '${name}'` : name.includes("%") ? "may not contain '%'" : "";
  if (fault !== "") {
    throw badRequest(`Name parameter invalid: ${JSON.stringify(name)}: ${fault}`);
  }
  return storage.keyOf(namespace, name);
}
