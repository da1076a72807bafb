import type { RequestHeaderOptions } from "@gatehouse/apiserver/authentication";
import type { UserInfo } from "@gatehouse/apiserver/request";
import { badRequest } from "@gatehouse/envelopes/status";

/**
 * Returns a test whether a header of a client must not reach another server: credentials, and whatever claims an
 * identity, in every spelling. A server may take any of `X-Remote-User`, `x_remote_user` and `X.Remote.User` for the
 * same header (CGI does), so names are compared without regard to case and to the characters between words.
 */
export function claimsIdentity(requestHeader: RequestHeaderOptions | undefined): (name: string) => boolean {
  const names = new Set(["authorization", "proxy-authorization"]);
  const prefixes = ["x-remote-", "impersonate-"];
  for (const name of [...(requestHeader?.usernameHeaders ?? []), ...(requestHeader?.groupHeaders ?? [])]) {
    names.add(plainName(name));
  }
  prefixes.push(...(requestHeader?.extraHeaderPrefixes ?? []).map(plainName));
  // Clients send the same few headers again and again.
  const known = new Map<string, boolean>();
  return (name) => {
    let isClaim = known.get(name);
    if (isClaim === undefined) {
      const plain = plainName(name);
      isClaim = names.has(plain) || prefixes.some((prefix) => plain.startsWith(prefix));
      if (known.size < maxKnown) {
        known.set(name, isClaim);
      }
    }
    return isClaim;
  };
}

/** Number of header names whose verdict is kept. */
const maxKnown = 1000;

function plainName(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]/g, "-");
}

/** The headers of users who have asked before: a connection or token has one object for its user. */
const known = new WeakMap<UserInfo, readonly string[]>();

/**
 * Returns the headers by which a front proxy names a user, as v1.29 writes them. Throws StatusError for a name with blanks
 * around it: receivers remove them, and would see another user.
 */
export function identityFieldsOf(user: UserInfo): readonly string[] {
  let fields = known.get(user);
  if (fields === undefined) {
    fields = identityFields(user);
    known.set(user, fields);
  }
  return fields;
}

function identityFields({ username, groups, extra = {} }: UserInfo): string[] {
  const fields = ["X-Remote-User", username];
  for (const group of groups) {
    fields.push("X-Remote-Group", group);
  }
  for (const [key, values] of Object.entries(extra)) {
    const name = `X-Remote-Extra-${escapedKey(key)}`;
    for (const value of values) {
      fields.push(name, value);
    }
  }
  if (fields.some((field) => /^[ \t]|[ \t]$/.test(field))) {
    throw badRequest("a user, group or extra with blanks around it cannot be named to another server");
  }
  return fields.map(asLatin1);
}

/** Escapes the bytes of a key that the name of a header cannot hold, and percent signs. */
function escapedKey(key: string): string {
  let escaped = "";
  for (const byte of Buffer.from(key)) {
    const character = String.fromCharCode(byte);
    escaped += /[!#$&'*+\-.^_`|~0-9A-Za-z]/.test(character)
      ? character
      : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
  }
  return escaped;
}

/** Returns a text as the bytes of its UTF-8 form, each a character, as Node writes headers. */
function asLatin1(text: string): string {
  return /^[\x20-\x7e]*$/.test(text) ? text : Buffer.from(text).toString("latin1");
}
