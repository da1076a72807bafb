import { createHash, timingSafeEqual } from "node:crypto";
import { readConfigFile } from "@gatehouse/component-base/config-documents";
import { ConfigurationError } from "@gatehouse/component-base/errors";
import { problemAt } from "@gatehouse/component-base/problems";
import { isJsonObject, type JsonValue } from "@gatehouse/envelopes/json";

/** A user who can log in at the identity provider of a local stack. */
export interface DevelopmentUser {
  readonly name: string;
  readonly password: string;
  readonly groups: readonly string[];
}

/** Reads the users of a provider from a YAML file. Throws ConfigurationError. */
export async function readUsers(path: string): Promise<readonly DevelopmentUser[]> {
  const { content } = await readConfigFile(path);
  const unknown = Object.keys(content).filter((name) => name !== "users");
  if (unknown.length > 0) {
    const problems = unknown.map((name) => problemAt(name, "is not a member of this document, only users is"));
    throw new ConfigurationError(path, problems);
  }
  const { users } = content;
  if (!Array.isArray(users) || users.length === 0) {
    throw new ConfigurationError(path, [problemAt("users", "must be a list with at least one user")]);
  }
  return users.map((entry, index) => {
    const user = readUser(entry);
    if (user === undefined) {
      const what = "must have a name, a password and perhaps a list of groups, all of them texts, and nothing else";
      throw new ConfigurationError(path, [problemAt(`users[${index}]`, what)]);
    }
    return user;
  });
}

/** Returns undefined for what is no user. */
function readUser(entry: JsonValue): DevelopmentUser | undefined {
  if (!isJsonObject(entry)) {
    return undefined;
  }
  const { name, password, groups = [], ...rest } = entry;
  const isComplete = isText(name) && isText(password) && Array.isArray(groups) && groups.every(isText);
  return isComplete && Object.keys(rest).length === 0 ? { name, password, groups } : undefined;
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}

/** The user with this name and password. */
export function findUser(
  users: readonly DevelopmentUser[],
  name: string,
  password: string,
): DevelopmentUser | undefined {
  const found = users.find((user) => user.name === name);
  const digest = (text: string): Buffer => createHash("sha256").update(text).digest();
  return found !== undefined && timingSafeEqual(digest(found.password), digest(password)) ? found : undefined;
}
