/** A question of an expression to the authorizer of the server. */
export type AccessQuestion = ResourceQuestion | PathQuestion;

interface Asker {
  /** The verb: of the API for resources, of HTTP for paths. */
  readonly verb: string;
  /** The service account whose access is asked; undefined: that of the user who makes the request. */
  readonly serviceAccount: { readonly namespace: string; readonly name: string } | undefined;
}

/** A question about a resource of any version. Parts that were not named are empty. */
export interface ResourceQuestion extends Asker {
  readonly isResource: true;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
}

/** A question about a path that is no resource. */
export interface PathQuestion extends Asker {
  readonly isResource: false;
  readonly path: string;
}

/** The answer of an authorizer. */
export interface AccessDecision {
  readonly allowed: boolean;
  readonly reason: string;
  /** The error that kept the authorizer from an opinion. */
  readonly error: string | undefined;
}

/** The authorizer that stands behind the variable `authorizer`, for the user of one request. */
export interface AuthorizationSource {
  /** Answers at once, or later if it has to ask others. A promise that is rejected is an answer with an error. */
  check(question: AccessQuestion): AccessDecision | Promise<AccessDecision>;
}
