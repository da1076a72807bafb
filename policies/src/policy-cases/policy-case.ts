import type { JsonObject } from "@gatehouse/envelopes/json";
import type { gatehousepoliciesV1alpha1, rbacV1 } from "@gatehouse/envelopes/types";
import type { DocumentProblem } from "../document-problem/document-problem.js";

/** A file of cases: a document of kind PolicyCases, whose shape has been checked. */
export interface PolicyCaseFile {
  /** The name of the file, for messages. */
  readonly file: string;
  readonly content: gatehousepoliciesV1alpha1.PolicyCases;
}

/** A problem of a file of cases. */
export interface PolicyCaseProblem extends DocumentProblem {
  readonly file: string;
}

/** An operation of admission. */
export type Operation = "CREATE" | "UPDATE" | "DELETE" | "CONNECT";

/** The request of a case, with its objects put together. Objects have no defaults yet. */
export interface CaseRequest {
  readonly operation: Operation;
  readonly object?: JsonObject;
  readonly oldObject?: JsonObject;
  /** The plural name of the resource, or `deployments.v1.apps`; undefined: that of the kind. */
  readonly resource?: string;
  /** The subresource; empty for the object itself. */
  readonly subResource: string;
  /** The namespace that the case states; undefined: `default`, or none if the kind has none. */
  readonly namespace?: string;
  readonly namespaceObject?: JsonObject;
  /** The parameter objects that bindings find; undefined: those that the folder of the policy has. */
  readonly params?: readonly JsonObject[];
  readonly userInfo: gatehousepoliciesV1alpha1.PolicyCaseRequest["userInfo"];
  /** The rights of the user, for expressions that ask the authorizer. */
  readonly access: readonly rbacV1.PolicyRule[];
  readonly dryRun: boolean;
  readonly options?: JsonObject;
}

/** A violation that a case expects. */
export type ExpectedViolation = gatehousepoliciesV1alpha1.PolicyCaseViolation;

/** The outcome that a case expects. Undefined members are not compared. */
export interface CaseOutcome {
  readonly allowed: boolean;
  /** The first violation: its stated members. */
  readonly first?: Partial<ExpectedViolation>;
  /** All violations, in their order. */
  readonly violations?: readonly ExpectedViolation[];
  /** True if no policy is to be evaluated; false: at least one is. */
  readonly skipped: boolean;
  readonly warnings?: readonly string[];
  readonly auditAnnotations?: Readonly<Record<string, string>>;
  /** The highest cost of all expressions together. */
  readonly maxCost?: number;
}

/** A case that is ready to be run. */
export interface PolicyCase {
  readonly name: string;
  readonly file: string;
  /** The place in the file: `cases[2]`. */
  readonly path: string;
  /** Names of the policies and definitions that are evaluated. */
  readonly policies: readonly string[];
  readonly definitions: readonly string[];
  readonly given: CaseRequest;
  readonly expect: CaseOutcome;
}
