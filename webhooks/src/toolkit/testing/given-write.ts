import type { JsonObject } from "@gatehouse/envelopes/json";
import type { GroupVersionKind, GroupVersionResource } from "@gatehouse/envelopes/schema";
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

const forever = new AbortController().signal;

/** A request as match conditions and policies see it, for the evaluation of one hook or one policy. */
export class GivenWrite implements PolicyWrite, ExpressionSource {
  readonly signal: AbortSignal = forever;
  readonly operation: string;
  readonly kind: GroupVersionKind;
  readonly resource: GroupVersionResource;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly object: JsonObject | undefined;
  readonly oldObject: JsonObject | undefined;
  readonly warnings: string[] = [];
  readonly auditAnnotations: Record<string, string> = {};
  /** Nouns of what expressions have asked for that is not available here: the result is then not that of a server. */
  readonly missing = new Set<string>();
  readonly #init: GivenWriteInit;

  constructor(init: GivenWriteInit) {
    const { operation, kind, resource, subResource, namespace, name, object, oldObject } = init.request;
    this.#init = init;
    this.operation = operation;
    this.kind = { group: kind.group ?? "", version: kind.version ?? "", kind: kind.kind ?? "" };
    const { group = "", version = "" } = resource;
    this.resource = { group, version, resource: resource.resource ?? "" };
    this.subresource = subResource;
    this.namespace = namespace;
    this.name = name;
    this.object = object;
    this.oldObject = oldObject;
  }

  /** Goes on at once: other work has no need to run in between. */
  yield(): undefined {
    return undefined;
  }

  warn(message: string): void {
    this.warnings.push(message);
  }

  annotate(key: string, value: string): void {
    // The first of two values stays, as on a server.
    if (!Object.hasOwn(this.auditAnnotations, key)) {
      this.auditAnnotations[key] = value;
    }
  }

  request(kind: GroupVersionKind, resource: GroupVersionResource): JsonObject {
    return {
      ...this.#init.review,
      uid: "",
      kind: { ...kind },
      resource: { ...resource },
      object: null,
      oldObject: null,
    };
  }

  authorization(): AuthorizationSource {
    return { check: (question) => this.#check(question) };
  }

  /** Refuses to convert the objects to another version: throws StatusError. */
  objectsIn({ kind: { group, version, kind } }: ServedForm): never {
    const form = `the object as ${group === "" ? version : `${group}/${version}`} ${kind}`;
    this.missing.add(form);
    throw new StatusError(500, "InternalError", `${form} is not available`);
  }

  #check(question: AccessQuestion): AccessDecision | Promise<AccessDecision> {
    const { authorizer, request } = this.#init;
    if (authorizer === undefined) {
      this.missing.add("the variable authorizer");
      return decisionOf(false);
    }
    const { serviceAccount } = question;
    const account = serviceAccount && `system:serviceaccount:${serviceAccount.namespace}:${serviceAccount.name}`;
    const allowed = authorizer(question, account === undefined ? request.userInfo : { username: account });
    return allowed instanceof Promise ? allowed.then(decisionOf) : decisionOf(allowed);
  }
}

function decisionOf(allowed: boolean): AccessDecision {
  return { allowed, reason: "", error: undefined };
}
