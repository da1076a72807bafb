/** The user who makes a request (authentication/v1 UserInfo). */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** The group of every user that an authenticator knew. */
export const authenticatedGroup = "system:authenticated";

/** The group of every user that no authenticator knew. */
export const unauthenticatedGroup = "system:unauthenticated";

/** The user of a request without credentials that `--anonymous-auth` lets in. */
export const anonymousUser: UserInfo = Object.freeze({
  username: "system:anonymous",
  groups: Object.freeze([unauthenticatedGroup]),
});
