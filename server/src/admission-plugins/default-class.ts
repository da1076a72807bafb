import type { ObjectAccess } from "@gatehouse/apiserver/admission";
import { metaOf } from "@gatehouse/apiserver/objects";
import type { JsonObject } from "@gatehouse/envelopes/json";
import type { GroupResource } from "@gatehouse/envelopes/status";

/** A class that may be the default one, for what names none. */
interface ClassFacts {
  readonly name: string;
  readonly createdAt: string;
  readonly isDefault: boolean;
}

/**
 * Finds the default among the classes of a resource, which annotations say; of several the newest, of those the first by
 * name. Undefined when there is none.
 */
export function defaultClass(
  objects: ObjectAccess,
  resource: GroupResource,
  annotations: readonly string[],
): () => string | undefined {
  const classes = objects.view(resource, (object) => factsOf(object, annotations));
  return () =>
    classes
      .list("")
      .filter(({ isDefault }) => isDefault)
      .sort((a, b) => compare(b.createdAt, a.createdAt) || compare(a.name, b.name))[0]?.name;
}

function factsOf(object: JsonObject, names: readonly string[]): ClassFacts {
  const { name = "", creationTimestamp, annotations = {} } = metaOf(object);
  return {
    name,
    createdAt: creationTimestamp ?? "",
    isDefault: names.some((annotation) => Object.hasOwn(annotations, annotation) && annotations[annotation] === "true"),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
