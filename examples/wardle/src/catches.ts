import { type ApiResource, defineComputedResource, type ObjectClient } from "@gatehouse/apiserver";
import { flunders } from "./flunders.js";

/** The number of fish in a namespace. It is computed when it is read. */
export interface Catch {
  readonly metadata: { readonly name: string };
  readonly fish: number;
}

/** Declares the resource; `client` reads what is counted. */
export function catchesOf(client: () => ObjectClient): ApiResource {
  const count = async (name: string): Promise<Catch> => ({
    metadata: { name },
    fish: await client().count(flunders, name),
  });
  return defineComputedResource<Catch>({
    group: "wardle.example.com",
    version: "v1alpha1",
    resource: "catches",
    singular: "catch",
    kind: "Catch",
    namespaced: false,
    schema: { type: "object", properties: { fish: { type: "integer", description: "The number of flunders." } } },
    columns: [{ name: "Fish", type: "integer", jsonPath: ".fish" }],
    get: count,
    async list() {
      const found = await client().list(flunders, "");
      return Promise.all([...new Set(found.map(({ namespace }) => namespace))].map(count));
    },
  });
}
