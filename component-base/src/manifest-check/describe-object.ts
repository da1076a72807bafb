import { type JsonObject, textAt } from "@gatehouse/envelopes/json";

/** Returns the name by which reports tell of an object: `Deployment shop/web`. */
export function describeObject(content: JsonObject): string {
  const name = textAt(content, "metadata", "name") || textAt(content, "metadata", "generateName");
  const path = [textAt(content, "metadata", "namespace"), name].filter((part) => part !== "").join("/");
  return [textAt(content, "kind") || "document", path].filter((part) => part !== "").join(" ");
}
