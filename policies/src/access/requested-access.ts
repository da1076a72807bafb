/** An access that a user requests: the question to every authorizer. */
export interface RequestedAccess {
  /** True for a resource; otherwise `path` is requested, and the members of resources are empty. */
  readonly isResourceRequest: boolean;
  /** The verb: `get`, `list`, `create` and so on, or any word; the HTTP method in lower case for other paths. */
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** The namespace; empty for the scope of the cluster. */
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
}

/** The user of a request, as far as rules name users. */
export interface AccessUser {
  readonly username: string;
  readonly groups: readonly string[];
}
