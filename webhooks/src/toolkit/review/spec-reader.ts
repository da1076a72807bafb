import { type DocumentValidator, documentValidator } from "@gatehouse/component-base/config-documents";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { kindSchema } from "@gatehouse/envelopes/schema";
import { badRequest } from "@gatehouse/envelopes/status";
import { validateReview } from "./validate-review.js";

/** The question of a review. */
export interface ReviewQuestion {
  /** API version of the review, for its answer. */
  readonly apiVersion: string;
  /** The spec of the review in its own version, without the members that are null. */
  readonly spec: JsonObject;
}

/** A reader of the reviews of one kind. */
export interface SpecReader {
  /** Reads a review. Throws StatusError (400), which lists with paths everything that is wrong with it. */
  read(review: JsonObject): ReviewQuestion;
}

/**
 * Compiles the validators of a kind whose objects have a `spec`. Unknown members are accepted: API servers may be
 * newer. Members beside the spec are not checked: API servers send times that are null.
 */
export async function openSpecReader(group: string, versions: readonly string[], kind: string): Promise<SpecReader> {
  const validators = new Map<JsonValue | undefined, DocumentValidator>();
  for (const version of versions) {
    const schema = kindSchema(group, version, kind);
    if (schema === undefined) {
      throw new RangeError(`the IDL has no ${kind} ${version}`);
    }
    validators.set(`${group}/${version}`, await documentValidator(schema, { unknownMembers: "allowed" }));
  }
  return {
    read(review) {
      const { apiVersion = null } = review;
      const validate = validators.get(apiVersion);
      if (validate === undefined || review["kind"] !== kind) {
        const told = [review["kind"] ?? null, apiVersion].map((value) => JSON.stringify(value));
        throw badRequest(`${told.join(" of ")} is no ${kind} of ${group}/${versions.join(" or ")}`);
      }
      const spec = review["spec"] ?? null;
      validateReview(kind, validate, { apiVersion, kind, spec }, { spec });
      return { apiVersion: String(apiVersion), spec: isJsonObject(spec) ? withoutNull(spec) : {} };
    },
  };
}

function withoutNull(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
