import { type GroupVersionKind, kindSchema, type ObjectSchema, schemaRegistry } from "@gatehouse/envelopes/schema";

/** A kind that is registered beside that of a review. */
export interface RegisteredKind {
  /** The last part of the name of its Go package, which v1.29's messages show. */
  readonly goPackage: string;
  /** The schema by which an answer of the kind is read before it is refused; undefined where nothing is to be checked. */
  readonly schema: ObjectSchema | undefined;
}

/** Returns a kind that v1.29 would know in an answer; undefined for one that it would not. */
export type AnswerScheme = (stated: GroupVersionKind) => RegisteredKind | undefined;

/** Kinds of `meta.k8s.io/v1` that v1.29 reads in whatever group and version they say. */
const kindsOfAnyVersion: ReadonlySet<string> = new Set([
  "Status",
  "APIVersions",
  "APIGroup",
  "APIGroupList",
  "APIResourceList",
]);

/** Kinds of `meta.k8s.io/v1` that every group has in each of its versions. */
const kindsOfEachVersion: ReadonlySet<string> = new Set([
  "WatchEvent",
  "ListOptions",
  "GetOptions",
  "DeleteOptions",
  "CreateOptions",
  "UpdateOptions",
  "PatchOptions",
]);

/** Returns the scheme of a webhook that has registered nothing but its reviews, in v1 and v1beta1. */
export function schemeOfReview(review: GroupVersionKind): AnswerScheme {
  return ({ group, version, kind }) => {
    if (kindsOfAnyVersion.has(kind) || (group === review.group && kindsOfEachVersion.has(kind))) {
      return { goPackage: "v1", schema: undefined };
    }
    const isReview = group === review.group && kind === review.kind && (version === "v1" || version === "v1beta1");
    return isReview ? { goPackage: version, schema: undefined } : undefined;
  };
}

/** The scheme of the webhooks for tokens, access and images: all built-in kinds of Kubernetes are registered. */
export const builtinScheme: AnswerScheme = ({ group, version, kind }) => {
  const schema = kindSchema(group, version, kind)?.schema;
  if (kindsOfAnyVersion.has(kind)) {
    return { goPackage: "v1", schema };
  }
  if (kindsOfEachVersion.has(kind)) {
    const isServed = schemaRegistry()
      .kindsOf(group, version)
      .some((other) => isBuiltin(other.schema));
    return isServed ? { goPackage: "v1", schema } : undefined;
  }
  return isBuiltin(schema) ? { goPackage: version, schema } : undefined;
};

/** Reports whether a type is in the module of the built-in kinds: configurations and extensions are not. */
function isBuiltin(schema: ObjectSchema | undefined): boolean {
  return schema?.name.startsWith("k8s.io.api.") ?? false;
}
