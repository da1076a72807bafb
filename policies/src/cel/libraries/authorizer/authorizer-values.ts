import { EvaluationError } from "../../values/evaluation-error.js";
import { OpaqueValue } from "../../values/value.js";
import { AccessAnswers } from "./access-answers.js";
import type { AccessDecision, AccessQuestion, AuthorizationSource, ResourceQuestion } from "./authorization-source.js";

/** A value that expressions cannot compare. */
abstract class IncomparableValue extends OpaqueValue {
  equals(): boolean {
    throw new EvaluationError("no such overload");
  }
}

/** The variable `authorizer`, or what `serviceAccount` makes of it. */
export class AuthorizerValue extends IncomparableValue {
  readonly typeName = "kubernetes.authorization.Authorizer";
  readonly answers: AccessAnswers;
  readonly serviceAccount: AccessQuestion["serviceAccount"];

  constructor(answers: AccessAnswers, serviceAccount?: AccessQuestion["serviceAccount"]) {
    super();
    this.answers = answers;
    this.serviceAccount = serviceAccount;
  }
}

/** A path whose access can be checked. */
export class PathCheckValue extends IncomparableValue {
  readonly typeName = "kubernetes.authorization.PathCheck";
  readonly authorizer: AuthorizerValue;
  readonly path: string;

  constructor(authorizer: AuthorizerValue, path: string) {
    super();
    this.authorizer = authorizer;
    this.path = path;
  }
}

/** An API group whose resources can be named. */
export class GroupCheckValue extends IncomparableValue {
  readonly typeName = "kubernetes.authorization.GroupCheck";
  readonly authorizer: AuthorizerValue;
  readonly group: string;

  constructor(authorizer: AuthorizerValue, group: string) {
    super();
    this.authorizer = authorizer;
    this.group = group;
  }
}

/** The parts by which a resource is named. */
export type ResourceParts = Pick<ResourceQuestion, "group" | "resource" | "subresource" | "namespace" | "name">;

/** A resource whose access can be checked. */
export class ResourceCheckValue extends IncomparableValue {
  readonly typeName = "kubernetes.authorization.ResourceCheck";
  readonly authorizer: AuthorizerValue;
  readonly parts: ResourceParts;

  constructor(authorizer: AuthorizerValue, parts: ResourceParts) {
    super();
    this.authorizer = authorizer;
    this.parts = parts;
  }

  /** Returns this check with other parts. */
  with(parts: Partial<ResourceParts>): ResourceCheckValue {
    return new ResourceCheckValue(this.authorizer, { ...this.parts, ...parts });
  }
}

/** The answer to a check. */
export class DecisionValue extends IncomparableValue {
  readonly typeName = "kubernetes.authorization.Decision";
  readonly decision: AccessDecision;

  constructor(decision: AccessDecision) {
    super();
    this.decision = decision;
  }
}

/** Returns the value of the variable `authorizer` for the user of a request. It keeps answers: make one for each request. */
export function authorizerValue(source: AuthorizationSource): AuthorizerValue {
  return new AuthorizerValue(new AccessAnswers(source));
}

/** Returns the value of the variable `authorizer.requestResource`: the resource that is requested. */
export function requestResourceValue(authorizer: AuthorizerValue, parts: ResourceParts): ResourceCheckValue {
  return new ResourceCheckValue(authorizer, parts);
}
