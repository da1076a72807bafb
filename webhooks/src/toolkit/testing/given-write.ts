import type { JsonObject } from "@gatehouse/envelopes/json";
import { StatusError } from "@gatehouse/envelopes/status";
import type { authenticationV1 } from "@gatehouse/envelopes/types";
import type { ExpressionSource, PolicyWrite, ServedForm } from "@gatehouse/policies/admission-expressions";
import type { AccessDecision, AccessQuestion, AuthorizationSource } from "@gatehouse/policies/cel";
import type { AdmissionRequest } from "../handlers/admission-request.js";

/**
 * An answer of a test to the question of an expression whether something is allowed. `user` is the user of the request, or
 * the service account that the expression names.
 */
export type TestAuthorizer = (question: AccessQuestion, user: authenticationV1.UserInfo) => boolean | Promise<boolean>;

/** The parts of a GivenWrite. */
export interface GivenWriteInit {
  readonly request: AdmissionRequest;
  /** The member `request` of the review. */
  readonly review: JsonObject;
  /** Absent where no answer is available. */
  readonly authorizer?: TestAuthorizer | undefined;
}

/** A request as match conditions and policies see it, for the evaluation of one hook or one policy. */
export interface GivenWrite extends PolicyWrite, ExpressionSource {
  readonly warnings: readonly string[];
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /** Nouns of what expressions have asked for that is not available here: the result is then not that of a server. */
  readonly missing: ReadonlySet<string>;
  /** Refuses to convert the objects to another version: throws StatusError. */
  objectsIn(form: ServedForm): never;
}

const forever = new AbortController().signal;

/** Makes the write that a request is about, with nothing noted yet. */
export function givenWrite({ request, review, authorizer }: GivenWriteInit): GivenWrite {
  const { operation, kind, resource, subResource, namespace, name, object, oldObject } = request;
  const { group = "", version = "" } = resource;
  const warnings: string[] = [];
  const auditAnnotations: Record<string, string> = {};
  const missing = new Set<string>();
  return {
    signal: forever,
    // Other work has no need to run in between.
    yield: () => undefined,
    operation,
    kind: { group: kind.group ?? "", version: kind.version ?? "", kind: kind.kind ?? "" },
    resource: { group, version, resource: resource.resource ?? "" },
    subresource: subResource,
    namespace,
    name,
    object,
    oldObject,
    warnings,
    auditAnnotations,
    missing,
    warn: (message) => void warnings.push(message),
    annotate(key, value) {
      // The first of two values stays, as on a server.
      if (!Object.hasOwn(auditAnnotations, key)) {
        auditAnnotations[key] = value;
      }
    },
    request: (seenKind, seenResource) => ({
      ...review,
      uid: "",
      kind: { ...seenKind },
      resource: { ...seenResource },
      object: null,
      oldObject: null,
    }),
    authorization: () => authorizationBy(authorizer, request.userInfo, missing),
    objectsIn({ kind: { group: seenGroup, version: seenVersion, kind: seenKind } }) {
      const form = `the object as ${seenGroup === "" ? seenVersion : `${seenGroup}/${seenVersion}`} ${seenKind}`;
      missing.add(form);
      throw new StatusError(500, "InternalError", `${form} is not available`);
    },
  };
}

/** Returns the authorizer for a user. Questions that nobody answers are noted in `missing`. */
function authorizationBy(
  authorizer: TestAuthorizer | undefined,
  user: authenticationV1.UserInfo,
  missing: Set<string>,
): AuthorizationSource {
  return {
    check(question) {
      if (authorizer === undefined) {
        missing.add("the variable authorizer");
        return decisionOf(false);
      }
      const { serviceAccount } = question;
      const account = serviceAccount && `system:serviceaccount:${serviceAccount.namespace}:${serviceAccount.name}`;
      const allowed = authorizer(question, account === undefined ? user : { username: account });
      return allowed instanceof Promise ? allowed.then(decisionOf) : decisionOf(allowed);
    },
  };
}

function decisionOf(allowed: boolean): AccessDecision {
  return { allowed, reason: "", error: undefined };
}
