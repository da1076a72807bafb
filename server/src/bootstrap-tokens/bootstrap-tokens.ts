import { timingSafeEqual } from "node:crypto";
import { noOpinion, type TokenAuthenticator } from "@gatehouse/apiserver/authentication";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import type { BoundObjects } from "../service-accounts/bound-objects.js";

/** The store of bootstrap tokens, and a clock in milliseconds since 1970. */
export interface BootstrapTokensOptions {
  readonly objects: BoundObjects;
  readonly now: () => number;
}

const secretType = "bootstrap.kubernetes.io/token";
const everyGroup = "system:bootstrappers";
const extraGroup = /^system:bootstrappers:[a-z0-9:-]{0,255}[a-z0-9]$/;

/**
 * Returns an authenticator of tokens for joining nodes (`--enable-bootstrap-token-auth`): `id.secret`, kept in secrets
 * of kube-system. As in v1.29 it has no opinion on an invalid one.
 */
export function bootstrapTokens({ objects, now }: BootstrapTokensOptions): TokenAuthenticator {
  return {
    authenticateToken(token) {
      const [, id, secret] = /^([a-z0-9]{6})\.([a-z0-9]{16})$/.exec(token) ?? [];
      return id === undefined || secret === undefined ? noOpinion : authenticate(id, secret);
    },
  };

  async function authenticate(id: string, secret: string) {
    const stored = await objects.find("secrets", "kube-system", `bootstrap-token-${id}`);
    const groups = stored === undefined ? undefined : groupsIfGood(stored, id, secret, now());
    return groups === undefined
      ? noOpinion
      : ({ outcome: "authenticated", user: { username: `system:bootstrap:${id}`, groups } } as const);
  }
}

/** Returns the groups of the token's holder; undefined when the token may not be used to log in. */
function groupsIfGood(stored: JsonObject, id: string, secret: string, now: number): readonly string[] | undefined {
  const data = (key: string): string => Buffer.from(textAt(stored, "data", key), "base64").toString();
  const isDeleted = textAt(stored, "metadata", "deletionTimestamp") !== "";
  if (isDeleted || textAt(stored, "type") !== secretType || !isSame(data("token-secret"), secret)) {
    return undefined;
  }
  const expiration = data("expiration");
  if (
    data("token-id") !== id ||
    (expiration !== "" && !isAhead(expiration, now)) ||
    data("usage-bootstrap-authentication") !== "true"
  ) {
    return undefined;
  }
  const extra = data("auth-extra-groups");
  const groups = extra === "" ? [] : extra.split(",");
  return groups.every((group) => extraGroup.test(group)) ? [...new Set([everyGroup, ...groups])].sort() : undefined;
}

function isSame(held: string, shown: string): boolean {
  const [left, right] = [Buffer.from(held), Buffer.from(shown)];
  return left.length === right.length && timingSafeEqual(left, right);
}

/** Reports whether a time (RFC 3339) lies in the future. An invalid time is past. */
function isAhead(text: string, now: number): boolean {
  const isTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/.test(text);
  return isTime && Date.parse(text) > now;
}
