import { type Problem, problemAt } from "@gatehouse/component-base/problems";
import type { apiserverconfigV1 } from "@gatehouse/envelopes/types";
import type { NamedKey } from "./encryption-configuration.js";

/** Returns the keys of a provider, and adds their problems, in the words of v1.29. No problem holds a key. */
export function resolveKeys(
  keys: readonly apiserverconfigV1.Key[] | undefined,
  path: string,
  lengths: readonly number[],
  problems: Problem[],
): readonly NamedKey[] {
  if (keys === undefined || keys.length === 0) {
    problems.push(problemAt(path, "Required value: at least one keys is required"));
    return [];
  }
  return keys.map((key, index) => resolveKey(key, `${path}[${index}]`, lengths, problems));
}

function resolveKey(
  { name = "", secret = "" }: apiserverconfigV1.Key,
  path: string,
  lengths: readonly number[],
  problems: Problem[],
): NamedKey {
  if (name === "") {
    problems.push(problemAt(`${path}.name`, "Required value: name is a mandatory field for a key"));
  }
  if (secret === "") {
    problems.push(problemAt(`${path}.secret`, "Required value: secret is a mandatory field for a key"));
    return { name, key: Buffer.alloc(0) };
  }
  const key = decodeBase64(secret);
  if (key === undefined) {
    problems.push(problemAt(`${path}.secret`, 'Invalid value: "REDACTED": secrets must be base64 encoded'));
  } else if (!lengths.includes(key.length)) {
    const text = `secret is not of the expected length, got ${key.length}, expected one of [${lengths.join(" ")}]`;
    problems.push(problemAt(`${path}.secret`, `Invalid value: "REDACTED": ${text}`));
  }
  return { name, key: key ?? Buffer.alloc(0) };
}

/** Decodes standard base64 with its padding, in which line breaks do not count. */
function decodeBase64(text: string): Buffer | undefined {
  const characters = text.replaceAll(/[\r\n]/g, "");
  return characters.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(characters)
    ? Buffer.from(characters, "base64")
    : undefined;
}
