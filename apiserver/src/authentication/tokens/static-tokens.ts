import { createHash, timingSafeEqual } from "node:crypto";
import type { UserInfo } from "../../request/user-info.js";
import { noOpinion } from "../authenticator.js";
import type { TokenAuthenticator } from "./token-authenticator.js";

/**
 * Returns an authenticator by the tokens of `--token-auth-file`: CSV lines `token,user,uid[,"group1,group2"]`. Tokens
 * are compared by digest in constant time, and never kept in plain text.
 */
export function staticTokens(users: readonly TokenUser[]): TokenAuthenticator {
  return {
    authenticateToken(token) {
      const digest = digestOf(token);
      let found: UserInfo | undefined;
      for (const candidate of users) {
        if (timingSafeEqual(candidate.digest, digest)) {
          found = candidate.user;
        }
      }
      return found === undefined ? noOpinion : { outcome: "authenticated", user: found };
    },
  };
}

/** A line of a token file, with the digest of its token in the token's place. */
export interface TokenUser {
  readonly digest: Buffer;
  readonly user: UserInfo;
}

/** Reads the text of a token file. Throws with every bad line listed by number, without showing its contents. */
export function parseTokenFile(text: string): readonly TokenUser[] {
  const users: TokenUser[] = [];
  const problems: string[] = [];
  for (const [index, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.startsWith("#")) {
      continue;
    }
    const fields = csvFields(line);
    const [token, username, uid, groups] = fields ?? [];
    if (token === undefined || token === "" || username === undefined || username === "" || uid === undefined) {
      problems.push(`line ${index + 1}: expected at least token, user name and user uid`);
      continue;
    }
    const groupNames = groups === undefined || groups === "" ? [] : groups.split(",").map((group) => group.trim());
    users.push({
      digest: digestOf(token),
      user: { username, ...(uid === "" ? {} : { uid }), groups: groupNames },
    });
  }
  if (problems.length > 0) {
    throw new Error(problems.join("; "));
  }
  return users;
}

function digestOf(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/** Splits one CSV line (RFC 4180) into fields; undefined when a quote is not closed. */
function csvFields(line: string): string[] | undefined {
  const fields: string[] = [];
  let at = 0;
  while (at <= line.length) {
    if (line[at] === '"') {
      let value = "";
      at++;
      for (;;) {
        const end = line.indexOf('"', at);
        if (end < 0) {
          return undefined;
        }
        value += line.slice(at, end);
        at = end + 1;
        if (line[at] !== '"') {
          break;
        }
        value += '"';
        at++;
      }
      fields.push(value);
      at = line.indexOf(",", at) < 0 ? line.length + 1 : line.indexOf(",", at) + 1;
    } else {
      const end = line.indexOf(",", at);
      fields.push(line.slice(at, end < 0 ? line.length : end).trim());
      at = end < 0 ? line.length + 1 : end + 1;
    }
  }
  return fields;
}
