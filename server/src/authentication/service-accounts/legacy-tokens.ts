import { timingSafeEqual } from "node:crypto";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes";
import { type AuthenticationDecision, rejected } from "../authenticator.js";
import type { BoundObjects } from "./bound-objects.js";
import { stateOf } from "./bound-tokens.js";
import { serviceAccountUser, splitServiceAccountUsername } from "./service-account-user.js";
import { claimOf, type Payload, textOf } from "./token-claims.js";
import type { ValidateClaims } from "./verified-token.js";

/** Who issues tokens that are kept in secrets. */
export const legacyIssuer = "kubernetes/serviceaccount";

/** The label that tells since when the token of a secret is no longer to be used. */
const invalidSinceLabel = "kubernetes.io/legacy-token-invalid-since";
/** The label that tells on which day it was used last. */
export const lastUsedLabel = "kubernetes.io/legacy-token-last-used";

/** The claims that a token of a secret must have, in the order in which they are asked for. */
const claimNames = {
  namespace: "kubernetes.io/serviceaccount/namespace",
  secretName: "kubernetes.io/serviceaccount/secret.name",
  serviceAccountName: "kubernetes.io/serviceaccount/service-account.name",
  serviceAccountUID: "kubernetes.io/serviceaccount/service-account.uid",
} as const;

type LegacyClaims = Readonly<Record<keyof typeof claimNames, string>>;

/** What decides of tokens of secrets. */
export interface LegacyTokensOptions {
  readonly objects: BoundObjects;
  /** `--service-account-lookup`: the secret and the account must still be there. */
  readonly lookup: boolean;
  /** Notes that the token of a secret was used. Must not throw. */
  readonly noteUse: (secret: JsonObject) => void;
}

/** The claims of a token that is kept in a secret. */
export function legacyClaims(namespace: string, secretName: string, account: { name: string; uid: string }): Payload {
  return {
    [claimNames.namespace]: namespace,
    [claimNames.secretName]: secretName,
    [claimNames.serviceAccountName]: account.name,
    [claimNames.serviceAccountUID]: account.uid,
  };
}

/** Validates tokens that are kept in secrets: they live as long as the secret holds them. */
export function validateLegacyClaims(options: LegacyTokensOptions): ValidateClaims {
  return async ({ subject }, payload, token) => {
    if (subject === "") {
      return rejected("sub claim is missing");
    }
    const claims = readClaims(payload);
    if (typeof claims === "string") {
      return rejected(`${claims} claim is missing`);
    }
    const account = splitServiceAccountUsername(subject);
    if (account?.namespace !== claims.namespace || account.name !== claims.serviceAccountName) {
      return rejected("sub claim is invalid");
    }
    const { namespace, serviceAccountName: name, serviceAccountUID: uid } = claims;
    const user = serviceAccountUser({ namespace, name, uid });
    return options.lookup ? lookUp(options, claims, token, user) : { outcome: "authenticated", user };
  };
}

/** The claims, or the name of the first that is missing. */
function readClaims(payload: Payload): LegacyClaims | keyof LegacyClaims {
  const claims: Record<string, string> = {};
  for (const [name, claim] of Object.entries(claimNames)) {
    const value = textOf(claimOf(payload, claim));
    if (value === "") {
      return name as keyof LegacyClaims;
    }
    claims[name] = value;
  }
  return claims as LegacyClaims;
}

async function lookUp(
  { objects, noteUse }: LegacyTokensOptions,
  claims: LegacyClaims,
  token: string,
  user: ReturnType<typeof serviceAccountUser>,
): Promise<AuthenticationDecision> {
  const { namespace, secretName, serviceAccountName, serviceAccountUID } = claims;
  const secret = await objects.find("secrets", namespace, secretName);
  if (secret === undefined || stateOf(secret).deletedAt !== undefined) {
    return rejected("Token has been invalidated");
  }
  if (!holds(secret, token)) {
    return rejected("Token does not match server's copy");
  }
  const account = await objects.find("serviceaccounts", namespace, serviceAccountName);
  if (account === undefined) {
    return rejected(`serviceaccounts ${JSON.stringify(serviceAccountName)} not found`);
  }
  const { uid, deletedAt } = stateOf(account);
  if (deletedAt !== undefined) {
    return rejected(`ServiceAccount ${namespace}/${serviceAccountName} has been deleted`);
  }
  if (uid !== serviceAccountUID) {
    return rejected(`ServiceAccount UID (${uid}) does not match claim (${serviceAccountUID})`);
  }
  noteUse(secret);
  if (labelOf(secret, invalidSinceLabel) !== "") {
    return rejected(
      `the token in secret ${namespace}/${secretName} for service account ${namespace}/${serviceAccountName} has been marked invalid. Use tokens from the TokenRequest API or manually created secret-based tokens, or remove the '${invalidSinceLabel}' label from the secret to temporarily allow use of this token`,
    );
  }
  const { secrets } = account;
  const isGenerated =
    Array.isArray(secrets) && secrets.some((reference) => isJsonObject(reference) && reference["name"] === secretName);
  return {
    outcome: "authenticated",
    user,
    ...(isGenerated
      ? {
          warnings: [
            "Use tokens from the TokenRequest API or manually created secret-based tokens instead of auto-generated secret-based tokens.",
          ],
        }
      : {}),
    annotations: {
      [`authentication.k8s.io/legacy-token-${isGenerated ? "autogenerated" : "manual"}-secret`]: secretName,
    },
  };
}

function holds(secret: JsonObject, token: string): boolean {
  const data = secret["data"];
  const stored = isJsonObject(data) ? data["token"] : undefined;
  const [held, shown] = [Buffer.from(typeof stored === "string" ? stored : "", "base64"), Buffer.from(token)];
  return held.length === shown.length && timingSafeEqual(held, shown);
}

/** A label of an object, or an empty text. */
export function labelOf(object: JsonObject, name: string): string {
  const metadata = object["metadata"];
  const labels = isJsonObject(metadata) ? metadata["labels"] : undefined;
  const value = isJsonObject(labels) && Object.hasOwn(labels, name) ? labels[name] : undefined;
  return typeof value === "string" ? value : "";
}
