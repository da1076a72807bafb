/** Who is asking (authentication/v1 UserInfo). */
export interface UserInfo {
  readonly username: string;
  readonly uid?: string;
  readonly groups: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}

/** Every user that some authenticator knew belongs to this group. */
export const authenticatedGroup = "system:authenticated";

/** Everybody else belongs to this one. */
export const unauthenticatedGroup = "system:unauthenticated";

/** Who a request without credentials is from, where `--anonymous-auth` lets it in. */
export const anonymousUser: UserInfo = Object.freeze({
  username: "system:anonymous",
  groups: Object.freeze([unauthenticatedGroup]),
});
