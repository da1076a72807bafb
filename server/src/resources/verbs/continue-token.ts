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
  if (token.length > maxTokenLength || !/^[\w-]*=*$/.test(token)) {
    throw invalidToken("illegal base64 data");
  }
  let document: unknown;
  try {
    document = JSON.parse(Buffer.from(token, "base64url").toString());
  } catch {
    throw invalidToken("not a token of this server");
  }
  if (!isJsonObject(document) || document["v"] !== tokenVersion) {
    throw invalidToken("server does not recognize this encoded version");
  }
  const { rv: revision, start } = document;
  if (typeof revision !== "number" || !Number.isSafeInteger(revision) || revision < 0) {
    throw invalidToken(`incorrect encoded start resourceVersion (version ${tokenVersion})`);
  }
  if (typeof start !== "string" || start.length < 2 || !start.endsWith("\0") || start.startsWith("/")) {
    throw invalidToken("encoded start key is not usable");
  }
  return { revision, afterKey: start.slice(0, -1) };
}

function invalidToken(detail: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${detail}`);
}
