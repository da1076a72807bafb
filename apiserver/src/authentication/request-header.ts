import type { X509Certificate } from "node:crypto";
import { certificateSubject } from "@gatehouse/component-base/pki";
import { type VerifiedCertificate, verifyClients } from "@gatehouse/component-base/tls";
import type { UserInfo } from "../request/user-info.js";
import {
  type AuthenticationDecision,
  type Authenticator,
  type Credentials,
  noOpinion,
  rejected,
} from "./authenticator.js";
import { unescapedKey } from "./impersonation.js";

/** The headers that name a user, and the front proxies that they are accepted from. */
export interface RequestHeaderOptions {
  /** Common names of front proxies; empty for any with a valid certificate. */
  readonly allowedNames: readonly string[];
  readonly usernameHeaders: readonly string[];
  readonly groupHeaders: readonly string[];
  readonly extraHeaderPrefixes: readonly string[];
}

/** The verdict about a connection. */
interface Verdict {
  readonly problem: string | undefined;
  /** Time at which its certificate ends, in milliseconds since 1970; undefined where none was shown. */
  readonly notAfter: number | undefined;
}

/**
 * Returns an authenticator by the headers that a front proxy sets (`--requestheader-*`): accepted only on a connection
 * with a certificate of one of the proxies' authorities, which are not those of clients. `authorities` returns these as
 * they are now, as PEM.
 */
export function requestHeaderAuthenticator(
  options: RequestHeaderOptions,
  authorities: () => string,
  now: () => number = Date.now,
): Authenticator {
  const verdictOf = verifyClients<Verdict>({
    authorities,
    now,
    otherAuthorities: true,
    conclude: (shown) => verdictOn(shown, options.allowedNames),
  });
  const decide = ({ notAfter, problem }: Verdict, request: Credentials): AuthenticationDecision => {
    if (notAfter === undefined) {
      return noOpinion;
    }
    if (problem !== undefined) {
      return rejected(problem);
    }
    // A connection may be open for longer than its certificate is good.
    return now() > notAfter
      ? rejected("x509: certificate has expired or is not yet valid")
      : userOfHeaders(options, request);
  };
  return {
    authenticate(request) {
      const { socket } = request;
      if (socket === undefined) {
        return noOpinion;
      }
      const verdict = verdictOf(socket);
      return verdict instanceof Promise ? verdict.then((found) => decide(found, request)) : decide(verdict, request);
    },
  };
}

function verdictOn(shown: VerifiedCertificate | undefined, allowedNames: readonly string[]): Verdict {
  if (shown === undefined) {
    return { problem: undefined, notAfter: undefined };
  }
  const { certificate, problem } = shown;
  return {
    problem: problem === undefined ? nameProblem(certificate, allowedNames) : `x509: ${problem}`,
    notAfter: Date.parse(certificate.validTo),
  };
}

function nameProblem(certificate: X509Certificate, allowedNames: readonly string[]): string | undefined {
  const subject = certificateSubject(certificate);
  if (subject === undefined) {
    return "x509: the subject of the certificate is malformed";
  }
  return allowedNames.length === 0 || allowedNames.includes(subject.commonName)
    ? undefined
    : `x509: subject with cn=${subject.commonName} is not in the allowed list`;
}

function userOfHeaders(options: RequestHeaderOptions, request: Credentials): AuthenticationDecision {
  const values = (name: string): readonly string[] => request.headerValues(name.toLowerCase());
  const username = options.usernameHeaders.map((name) => values(name)[0] ?? "").find((name) => name !== "");
  if (username === undefined) {
    return noOpinion;
  }
  const groups = options.groupHeaders.flatMap((name) => values(name).filter((group) => group !== ""));
  const extra = extraOf(options.extraHeaderPrefixes, request);
  const user: UserInfo = { username, groups, ...(extra.size === 0 ? {} : { extra: Object.fromEntries(extra) }) };
  return { outcome: "authenticated", user };
}

function extraOf(prefixes: readonly string[], request: Credentials): ReadonlyMap<string, readonly string[]> {
  const extra = new Map<string, readonly string[]>();
  for (const prefix of prefixes.map((name) => name.toLowerCase())) {
    for (const name of Object.keys(request.headers).sort()) {
      if (name.startsWith(prefix)) {
        const key = unescapedKey(name.slice(prefix.length));
        extra.set(key, [...(extra.get(key) ?? []), ...request.headerValues(name)]);
      }
    }
  }
  return extra;
}

/**
 * Returns a test whether a header is one of front proxies, which must be removed whoever sent it: v1.29's own, and
 * those of flags.
 */
export function frontProxyHeaders(options: RequestHeaderOptions | undefined): (name: string) => boolean {
  const names = new Set(["x-remote-user", "x-remote-group"]);
  const prefixes = ["x-remote-extra-", ...(options?.extraHeaderPrefixes ?? []).map((name) => name.toLowerCase())];
  for (const name of [...(options?.usernameHeaders ?? []), ...(options?.groupHeaders ?? [])]) {
    names.add(name.toLowerCase());
  }
  const others = [...names, ...prefixes].some((name) => !name.startsWith("x-"));
  // Asked of every header of every request, few of which begin so.
  return (name) =>
    (others || name.startsWith("x-")) && (names.has(name) || prefixes.some((prefix) => name.startsWith(prefix)));
}
