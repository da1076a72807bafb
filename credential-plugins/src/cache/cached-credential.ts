import { assertUsable, type Credential } from "../plugin/credential.js";

/** The cached state of a login. */
export interface CachedCredential {
  readonly credential?: Credential;
  /** Time at which the credential was obtained, in milliseconds since 1970. */
  readonly obtainedAt: number;
  /** State that the plugin needs for the next credential: JSON of its own, such as a refresh token. */
  readonly kept?: unknown;
  /** The last attempt, if it has failed. */
  readonly failure?: { readonly at: number; readonly message: string };
}

/** Reads what was kept; undefined for anything else. */
export function parseCachedCredential(text: string): CachedCredential | undefined {
  try {
    const { credential, obtainedAt, kept, failure }: Readonly<Record<string, unknown>> = JSON.parse(text);
    if (typeof obtainedAt !== "number") {
      return undefined;
    }
    return {
      obtainedAt,
      ...(credential === undefined ? {} : { credential: parseCredential(credential) }),
      ...(kept === undefined ? {} : { kept }),
      ...(failure === undefined ? {} : { failure: parseFailure(failure) }),
    };
  } catch {
    return undefined;
  }
}

function parseCredential(value: unknown): Credential {
  const fields = new Map(Object.entries(value ?? {}));
  const [token, clientCertificate, expiresAt] = [
    fields.get("token"),
    fields.get("clientCertificate"),
    fields.get("expiresAt"),
  ];
  const credential: Credential = {
    ...(token === undefined ? {} : { token: asString(token) }),
    ...(clientCertificate === undefined
      ? {}
      : {
          clientCertificate: {
            certificatePem: asString(clientCertificate.certificatePem),
            keyPem: asString(clientCertificate.keyPem),
          },
        }),
    ...(expiresAt === undefined ? {} : { expiresAt: asNumber(expiresAt) }),
  };
  assertUsable(credential);
  return credential;
}

function parseFailure(value: unknown): NonNullable<CachedCredential["failure"]> {
  const { at, message } = Object.assign({ at: undefined, message: undefined }, value);
  return { at: asNumber(at), message: asString(message) };
}

function asString(value: unknown): string {
  if (typeof value !== "string") {
    throw new TypeError("must be a string");
  }
  return value;
}

function asNumber(value: unknown): number {
  if (typeof value !== "number") {
    throw new TypeError("must be a number");
  }
  return value;
}
