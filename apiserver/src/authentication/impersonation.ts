import { anonymousUser, authenticatedGroup, type UserInfo, unauthenticatedGroup } from "../request/user-info.js";
import { serviceAccountGroups, splitServiceAccountUsername } from "./service-account-user.js";

/** The headers of a request that may ask to impersonate. */
export interface ImpersonationHeaders {
  /** Returns the lower-case names of the headers of which `matches` approves. */
  headerNames(matches: (name: string) => boolean): readonly string[];
  headerValues(name: string): readonly string[];
}

/** A part of the identity that a client asks for; each must be allowed by itself. */
export interface ImpersonatedPart {
  readonly resource: "users" | "serviceaccounts" | "groups" | "userextras" | "uids";
  /** The API group: `authentication.k8s.io` for extras and uids, empty otherwise. */
  readonly group: string;
  readonly namespace: string;
  readonly name: string;
  /** The key of an extra. */
  readonly subresource: string;
}

/** The user that a request impersonates, and what its client must be allowed for that. */
export interface Impersonation {
  readonly parts: readonly ImpersonatedPart[];
  /** The impersonated user; undefined if a part is named but no user. */
  readonly user: UserInfo | undefined;
}

const prefix = "impersonate-";
const extraPrefix = "impersonate-extra-";
const reviewGroup = "authentication.k8s.io";

/** Reads the headers that ask for another identity. Undefined for a request that names none, as nearly all. */
export function readImpersonation(request: ImpersonationHeaders): Impersonation | undefined {
  const names = request.headerNames(isImpersonation);
  return names.length === 0 ? undefined : readParts(request, names);
}

function isImpersonation(name: string): boolean {
  return name.startsWith(prefix);
}

function readParts(request: ImpersonationHeaders, names: readonly string[]): Impersonation | undefined {
  const username = request.headerValues("impersonate-user")[0] ?? "";
  const groups = request.headerValues("impersonate-group");
  const uid = request.headerValues("impersonate-uid")[0] ?? "";
  const extra = readExtra(request, names);
  const account = splitServiceAccountUsername(username);
  const none = { group: "", namespace: "", subresource: "" } as const;
  const parts: ImpersonatedPart[] = [
    ...(username === ""
      ? []
      : account === undefined
        ? [{ ...none, resource: "users", name: username } as const]
        : [{ ...none, resource: "serviceaccounts", ...account } as const]),
    ...groups.map((name) => ({ ...none, resource: "groups", name }) as const),
    ...Array.from(extra).flatMap(([key, values]) =>
      values.map((name) => ({ ...none, group: reviewGroup, resource: "userextras", name, subresource: key }) as const),
    ),
    ...(uid === "" ? [] : [{ ...none, group: reviewGroup, resource: "uids", name: uid } as const]),
  ];
  if (parts.length === 0) {
    return undefined;
  }
  if (username === "") {
    return { parts, user: undefined };
  }
  const own = account === undefined || groups.length > 0 ? groups : serviceAccountGroups(account.namespace);
  return {
    parts,
    user: {
      username,
      groups: withSystemGroup(username, own),
      ...(uid === "" ? {} : { uid }),
      ...(extra.size === 0 ? {} : { extra: Object.fromEntries(extra) }),
    },
  };
}

/**
 * Reads the extras. Keys are lower-case, and may be percent-encoded; they are sorted, so that the order is always the
 * same.
 */
function readExtra(request: ImpersonationHeaders, names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const extra = new Map<string, readonly string[]>();
  for (const name of names.filter((candidate) => candidate.startsWith(extraPrefix)).sort()) {
    const key = unescapedKey(name.slice(extraPrefix.length));
    extra.set(key, [...(extra.get(key) ?? []), ...request.headerValues(name)]);
  }
  return extra;
}

function withSystemGroup(username: string, groups: readonly string[]): readonly string[] {
  if (username === anonymousUser.username) {
    return groups.includes(unauthenticatedGroup) ? groups : [...groups, unauthenticatedGroup];
  }
  const isSaid = groups.includes(authenticatedGroup) || groups.includes(unauthenticatedGroup);
  return isSaid ? groups : [...groups, authenticatedGroup];
}

/**
 * Decodes the key of an extra from the name of a header, which is ASCII. An invalid encoding is kept as it is; bytes that are no
 * UTF-8 are replaced, as v1.29 shows them.
 */
export function unescapedKey(encoded: string): string {
  if (/%(?![0-9a-f]{2})/i.test(encoded)) {
    return encoded;
  }
  const bytes = encoded.replace(/%(..)/g, (_escape, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  );
  return Buffer.from(bytes, "latin1").toString();
}
