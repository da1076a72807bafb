import { badRequest, isJsonObject } from "@gatehouse/envelopes";

/** Where the next page of a list starts, and at which version. Opaque to clients. */
export interface ContinuePosition {
  /** Version of the first page; 0 asks for whatever is newest (the rest of a list whose version has expired). */
  readonly revision: number;
  /** Last key of the previous page, relative to the prefix of the list. */
  readonly afterKey: string;
}

const tokenVersion = "meta.k8s.io/v1";
const maxTokenLength = 4096;

export function encodeContinueToken(position: ContinuePosition): string {
  const document = { v: tokenVersion, rv: position.revision, start: `${position.afterKey}\0` };
  return Buffer.from(JSON.stringify(document)).toString("base64url");
}

export function decodeContinueToken(token: string): ContinuePosition {
  const illegalAt = token.length > maxTokenLength ? maxTokenLength : illegalBase64At(token);
  if (illegalAt !== undefined) {
    throw invalidToken(`illegal base64 data at input byte ${illegalAt}`);
  }
  let document: unknown;
  try {
    document = JSON.parse(Buffer.from(token, "base64url").toString());
  } catch {
    throw invalidToken("not a token of this server");
  }
  if (!isJsonObject(document) || document["v"] !== tokenVersion) {
    const said = isJsonObject(document) && typeof document["v"] === "string" ? document["v"] : "";
    throw invalidToken(`server does not recognize this encoded version ${JSON.stringify(said)}`);
  }
  const { rv: revision, start } = document;
  if (typeof revision !== "number" || !Number.isSafeInteger(revision) || revision < 0) {
    throw invalidToken(`incorrect encoded start resourceVersion (version ${tokenVersion})`);
  }
  if (typeof start !== "string" || start === "") {
    throw invalidToken(`encoded start key empty (version ${tokenVersion})`);
  }
  if (!start.endsWith("\0") || start.startsWith("/") || climbs(start)) {
    throw invalidToken(start);
  }
  return { revision, afterKey: start.slice(0, -1) };
}

/** Where a text stops being unpadded base64url. */
function illegalBase64At(text: string): number | undefined {
  const at = text.search(/[^\w-]/);
  if (at >= 0) {
    return at;
  }
  return text.length % 4 === 1 ? text.length - 1 : undefined;
}

/** Keys are relative to the prefix of a resource; no token leads out of it. */
function climbs(key: string): boolean {
  return key.split("/").some((segment) => segment === "." || segment === ".." || segment === "");
}

function invalidToken(detail: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${detail}`);
}
