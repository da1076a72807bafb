import { type DocumentValidator, documentValidator } from "@gatehouse/component-base/config-documents";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { kindSchema } from "@gatehouse/envelopes/schema";
import { badRequest } from "@gatehouse/envelopes/status";
import { checkReview } from "./check-review.js";

/** What a review asks. */
export interface ReviewQuestion {
  /** That of the review, for its answer. */
  readonly apiVersion: string;
  /** As its version has it, without the members that are null. */
  readonly spec: JsonObject;
}

/** Reads the reviews of a kind, in all versions that are understood. */
export interface SpecReader {
  /** Throws a 400 that lists, with paths, everything that is wrong with a review. */
  read(review: JsonObject): ReviewQuestion;
}

/**
 * Compiles the validators of a kind whose objects have a `spec`. Members that we do not know are no fault: API servers may
 * be newer. What else than the spec there is does not count, and is not looked at: API servers send times that are null.
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
      checkReview(kind, validate, { apiVersion, kind, spec }, { spec });
      return { apiVersion: String(apiVersion), spec: isJsonObject(spec) ? withoutNull(spec) : {} };
    },
  };
}

function withoutNull(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));
}
