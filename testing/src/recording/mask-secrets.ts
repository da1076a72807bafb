/** The text that stands for a secret; that of values in base64 can be decoded, so that a replay is a valid request. */
const mask = "<masked>";
const encodedMask = Buffer.from(mask).toString("base64");
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration";

/** Resources whose bodies are secret as a whole, in whatever form they come. */
const secretResources = new Set(["secrets", "tokenreviews", "certificatesigningrequests"]);

/** Reports whether the bodies of a request hold secrets wherever they look like data. */
export function isSecret(resource: string, subresource: string): boolean {
  return secretResources.has(resource) || subresource === "token";
}

/**
 * Returns a body as text without secrets: values of Secrets, tokens, and what repeats them. A body that is not JSON is
 * left out when its resource is secret, or cannot be read as text.
 */
export function maskBody(body: Buffer, isSecretResource: boolean): string {
  const text = body.toString("utf8");
  if (text === "") {
    return "";
  }
  const lines = text.trim().split("\n");
  try {
    return lines.map((line) => JSON.stringify(maskValue(JSON.parse(line), isSecretResource))).join("\n");
  } catch {
    // Not one value in each line.
  }
  try {
    return JSON.stringify(maskValue(JSON.parse(text), isSecretResource));
  } catch {
    const isText = !text.includes("\0") && !text.includes("\ufffd");
    const mayHoldSecret = isSecretResource || /\bkind:\s*["']?Secret|token/i.test(text);
    return isText && !mayHoldSecret ? text : `<${body.length} bytes>`;
  }
}

/** Returns a path and its query without the tokens that some clients put there. */
export function maskTarget(target: string): string {
  return target.replace(/([?&][^=&]*token[^=&]*=)[^&]*/gi, `$1${encodeURIComponent(mask)}`);
}

function maskValue(value: unknown, isInSecret: boolean): unknown {
  if (Array.isArray(value)) {
    return value.map((item) => maskValue(item, isInSecret));
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  const isSecretHere = isInSecret || ("kind" in value && /^Secret(List)?$/.test(String(value.kind)));
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, maskMember(key, member, isSecretHere)]));
}

function maskMember(key: string, member: unknown, isSecretHere: boolean): unknown {
  if (isSecretHere && (key === "data" || key === "stringData")) {
    return maskValues(member, key === "data" ? encodedMask : mask);
  }
  // The values of JSON patches, and what a client has applied before.
  if (
    (isSecretHere && (key === "value" || key === lastApplied)) ||
    (/token$/i.test(key) && typeof member === "string")
  ) {
    return mask;
  }
  return maskValue(member, isSecretHere);
}

function maskValues(values: unknown, by: string): unknown {
  return typeof values === "object" && values !== null
    ? Object.fromEntries(Object.keys(values).map((key) => [key, by]))
    : by;
}
