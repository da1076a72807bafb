import { createHash, timingSafeEqual } from "node:crypto";
import { ConfigurationError, problemAt } from "@gatehouse/component-base";
import { parseYaml } from "@gatehouse/envelopes";

/** Somebody who can log in at the identity provider of a local stack. */
export interface DevelopmentUser {
  readonly name: string;
  readonly password: string;
  readonly groups: readonly string[];
}

/** Reads the users of a provider from YAML. Throws ConfigurationError. */
export async function parseUsers(text: string, path: string): Promise<readonly DevelopmentUser[]> {
  const { users } = Object.assign({ users: [] }, (await parseYaml(text)).value);
  const read = (Array.isArray(users) ? users : []).map((entry: unknown, index): DevelopmentUser => {
    const { name, password, groups } = Object.assign({ name: "", password: "", groups: [] }, entry);
    const isText = (value: unknown): value is string => typeof value === "string" && value !== "";
    if (!isText(name) || !isText(password) || !Array.isArray(groups) || !groups.every(isText)) {
      const what = "must have a name, a password, and a list of groups, all of them texts";
      throw new ConfigurationError(path, [problemAt(`users[${index}]`, what)]);
    }
    return { name, password, groups };
  });
  if (read.length === 0) {
    throw new ConfigurationError(path, [problemAt("users", "must name somebody")]);
  }
  return read;
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
