import { jsonTypeName, parseJson } from "@gatehouse/envelopes/codec";
import { DecodeError } from "@gatehouse/envelopes/errors";
import { isJsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import { badRequest } from "@gatehouse/envelopes/status";

/** The start of the next page of a list, and its version. Opaque to clients. */
export interface ContinuePosition {
  /** Version of the first page; undefined for the newest one (the rest of a list whose version has expired). */
  readonly revision: number | undefined;
  /** The least key that the page may hold, relative to the prefix of the list. */
  readonly fromKey: string;
}

const tokenVersion = "meta.k8s.io/v1";
const maxTokenLength = 4096;

/** Encodes a position in v1.29's own form, so that both servers can continue each other's lists. */
export function encodeContinueToken(position: ContinuePosition): string {
  const document = { v: tokenVersion, rv: position.revision ?? -1, start: position.fromKey };
  return Buffer.from(JSON.stringify(document)).toString("base64url");
}

/** Reads a token; 400 for what is none, in v1.29's words. */
export function decodeContinueToken(token: string): ContinuePosition {
  const { v: version, rv: revision, start } = tokenMembers(parseToken(token));
  if (version !== tokenVersion) {
    throw invalidToken(`server does not recognize this encoded version ${version}`);
  }
  if (revision === 0) {
    throw invalidToken(`incorrect encoded start resourceVersion (version ${tokenVersion})`);
  }
  if (start === "") {
    throw invalidToken(`encoded start key empty (version ${tokenVersion})`);
  }
  const fromKey = start.startsWith("/") ? start.slice(1) : start;
  if (climbs(fromKey)) {
    throw invalidToken(start);
  }
  return { revision: revision < 0 ? undefined : revision, fromKey };
}

function parseToken(token: string): JsonValue {
  const illegalAt = token.length > maxTokenLength ? maxTokenLength : illegalBase64At(token);
  if (illegalAt !== undefined) {
    throw invalidToken(`illegal base64 data at input byte ${illegalAt}`);
  }
  const bytes = Buffer.from(token, "base64url");
  try {
    return parseJson(bytes.toString()).value;
  } catch (error) {
    throw error instanceof DecodeError ? invalidToken(startProblem(bytes) ?? error.message) : error;
  }
}

/** Returns the problem of bytes that begin with none of ASCII: v1.29 shows the first byte, not the character. */
function startProblem([first = 0]: Buffer): string | undefined {
  if (first < 0x80) {
    return undefined;
  }
  const isShown = first > 0xa0 && first !== 0xad;
  const shown = isShown ? String.fromCharCode(first) : `\\u00${first.toString(16)}`;
  return `invalid character '${shown}' looking for beginning of value`;
}

interface TokenMembers {
  readonly v: string;
  readonly rv: number;
  readonly start: string;
}

/** Returns the members of a token by type; absent and null ones are zero values. */
function tokenMembers(document: JsonValue): TokenMembers {
  const members = document ?? {};
  if (!isJsonObject(members)) {
    throw cannotRead(jsonTypeName(members), "value of type storage.continueToken");
  }
  return {
    v: textMember(members["v"], "v"),
    rv: integerMember(members["rv"]),
    start: textMember(members["start"], "start"),
  };
}

function textMember(value: JsonValue | undefined, name: string): string {
  if (value === undefined || value === null || typeof value === "string") {
    return value ?? "";
  }
  throw cannotRead(jsonTypeName(value), `struct field continueToken.${name} of type string`);
}

function integerMember(value: JsonValue | undefined): number {
  if (value === undefined || value === null) {
    return 0;
  }
  const number = Number(value);
  if ((typeof value === "number" || typeof value === "bigint") && Number.isSafeInteger(number)) {
    return number;
  }
  const what = typeof value === "number" ? `number ${value}` : jsonTypeName(value);
  throw cannotRead(what, "struct field continueToken.rv of type int64");
}

function cannotRead(what: string, target: string): Error {
  return invalidToken(`json: cannot unmarshal ${what} into Go ${target}`);
}

/** Returns the index at which a text stops being unpadded base64url. */
function illegalBase64At(text: string): number | undefined {
  const at = text.search(/[^\w-]/);
  if (at >= 0) {
    return at;
  }
  return text.length % 4 === 1 ? text.length - 1 : undefined;
}

/** Reports whether a key leads out of its list, to whose prefix it is relative; no token may. */
function climbs(key: string): boolean {
  const segments = key.split("/");
  return segments.some((segment) => segment === "." || segment === ".." || segment === "");
}

function invalidToken(detail: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${detail}`);
}
