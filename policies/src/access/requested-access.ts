/** What somebody wants to do: what every authorizer is asked about. */
export interface RequestedAccess {
  /** About a resource; else about `path`, and the members of resources are empty. */
  readonly isResourceRequest: boolean;
  /** `get`, `list`, `create` and so on, or any word; the HTTP method in lower case for other paths. */
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  /** Empty: at the scope of the cluster. */
  readonly namespace: string;
  readonly name: string;
  readonly path: string;
}

/** Who wants to do it, as far as rules speak of people. */
export interface AccessUser {
  readonly username: string;
  readonly groups: readonly string[];
}
