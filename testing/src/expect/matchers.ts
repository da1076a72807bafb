import { inspect } from "node:util";
import { denialProblem, type ExpectedDenial, outcomeOf } from "./expect-denied.js";

/** The verdict of a matcher, as vitest and jest take it. */
export interface MatcherResult {
  readonly pass: boolean;
  /** Returns the text of the failure, of the negated matcher as well. */
  readonly message: () => string;
}

/** A condition of an object; `status` is `True` by default. */
export interface ExpectedCondition {
  readonly status?: string;
  readonly reason?: string;
}

/**
 * The matchers as methods of `expect(...)`, for the types of a test runner:
 * `declare module "vitest" { interface Matchers<T> extends ClusterMatchers<T> {} }`.
 */
export interface ClusterMatchers<R = unknown> {
  /** Passes for a request, a promise or a function that returns one, that the server denies. To be awaited. */
  toBeDenied(expected?: ExpectedDenial): Promise<R>;
  /** Passes for an object that has a condition in its status. */
  toHaveCondition(type: string, expected?: ExpectedCondition): R;
  /** Passes for an object with an owner reference to another one, by its UID. */
  toBeOwnedBy(owner: object): R;
}

/** Matchers for `expect.extend` of vitest and jest. */
export const matchers = {
  async toBeDenied(
    request: Promise<unknown> | (() => Promise<unknown>),
    expected: ExpectedDenial = {},
  ): Promise<MatcherResult> {
    const outcome = await outcomeOf(request);
    const problem = denialProblem(outcome, expected);
    return {
      pass: problem === undefined,
      message: () => problem ?? `expected the server not to deny the request, but it did: ${inspect(outcome)}`,
    };
  },

  toHaveCondition(object: unknown, type: string, { status = "True", reason }: ExpectedCondition = {}): MatcherResult {
    const conditions = listAt(memberOf(object, "status"), "conditions");
    const pass = conditions.some(
      (each) =>
        memberOf(each, "type") === type &&
        memberOf(each, "status") === status &&
        (reason === undefined || memberOf(each, "reason") === reason),
    );
    const wanted = `the condition ${type}=${status}${reason === undefined ? "" : ` (${reason})`}`;
    return {
      pass,
      message: () => `expected ${pass ? "no" : ""} ${wanted}, but the conditions are ${inspect(conditions)}`,
    };
  },

  toBeOwnedBy(object: unknown, owner: unknown): MatcherResult {
    const uid = memberOf(memberOf(owner, "metadata"), "uid");
    const references = listAt(memberOf(object, "metadata"), "ownerReferences");
    const pass = uid !== undefined && references.some((reference) => memberOf(reference, "uid") === uid);
    return {
      pass,
      message: () =>
        `expected ${pass ? "no" : "an"} owner with UID ${String(uid)}, but the owners are ${inspect(references)}`,
    };
  },
};

function memberOf(value: unknown, member: string): unknown {
  return typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>)[member] : undefined;
}

function listAt(value: unknown, member: string): readonly unknown[] {
  const list = memberOf(value, member);
  return Array.isArray(list) ? list : [];
}
