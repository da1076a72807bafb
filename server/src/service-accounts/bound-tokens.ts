import {
  type AuthenticationDecision,
  rejected,
  type ServiceAccountMetrics,
  serviceAccountUser,
} from "@gatehouse/apiserver/authentication";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import type { BoundObjects } from "./bound-objects.js";
import { type BoundClaims, boundClaims, type ObjectReference, type RegisteredClaims } from "./token-claims.js";
import type { OwnClaims } from "./verified-token.js";

/** The tolerance in seconds for differing clocks, and for objects whose deletion has begun. */
const leewaySeconds = 60;

/** Dependencies of the checks on tokens besides their signature. */
export interface BoundTokensOptions {
  readonly objects: BoundObjects;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly metrics: Pick<ServiceAccountMetrics, "stale" | "valid">;
  readonly features: {
    /** True if tokens have an identifier of their own, which becomes part of the user. */
    readonly tokenId: boolean;
    /** True if tokens of pods name their node. */
    readonly podNode: boolean;
    /** True if tokens may be bound to a node. */
    readonly nodeBinding: boolean;
  };
}

/** Claims of tokens of TokenRequests, which live as long as their account, and as the pod or secret that they are bound to. */
export function boundTokenClaims(options: BoundTokensOptions): OwnClaims<BoundClaims> {
  return {
    read: boundClaims,
    async validate(registered, claims) {
      const nowSeconds = Math.floor(options.now() / 1000);
      const fault = faultOfTimes(registered, nowSeconds) ?? (await faultOfObjects(options, claims, nowSeconds));
      return fault === undefined ? authenticated(options, registered, claims) : rejected(fault);
    },
  };
}

function faultOfTimes({ expiresAt, notBefore, issuedAt }: RegisteredClaims, now: number): string | undefined {
  if (notBefore !== undefined && notBefore !== 0 && now + leewaySeconds < notBefore) {
    return "service account token is not valid yet";
  }
  if (expiresAt !== undefined && now - leewaySeconds > expiresAt) {
    return "service account token has expired";
  }
  if (issuedAt !== undefined && issuedAt !== 0 && now + leewaySeconds < issuedAt) {
    return "service account token is issued in the future";
  }
  return undefined;
}

async function faultOfObjects(
  { objects, features }: BoundTokensOptions,
  { namespace, serviceAccount, secret, pod, node }: BoundClaims,
  now: number,
): Promise<string | undefined> {
  if (serviceAccount.name === "") {
    return "resource name may not be empty";
  }
  if (namespace === "") {
    return "an empty namespace may not be set when a resource name is provided";
  }
  const account = await objects.find("serviceaccounts", namespace, serviceAccount.name);
  if (account === undefined) {
    return `serviceaccounts ${JSON.stringify(serviceAccount.name)} not found`;
  }
  const { uid } = stateOf(account);
  if (uid !== serviceAccount.uid) {
    return `service account UID (${uid}) does not match claim (${serviceAccount.uid})`;
  }
  if (isGone(account, now)) {
    return `service account ${namespace}/${serviceAccount.name} has been deleted`;
  }
  return (
    (secret === undefined
      ? undefined
      : faultOf("secret", await objects.find("secrets", namespace, secret.name), secret, now)) ??
    (pod === undefined ? undefined : faultOf("pod", await objects.find("pods", namespace, pod.name), pod, now)) ??
    (node === undefined || pod !== undefined ? undefined : await faultOfNode(objects, features.nodeBinding, node, now))
  );
}

async function faultOfNode(
  objects: BoundObjects,
  isEnabled: boolean,
  node: ObjectReference,
  now: number,
): Promise<string | undefined> {
  return isEnabled
    ? faultOf("node", await objects.find("nodes", "", node.name), node, now)
    : "token is bound to a Node object but the ServiceAccountTokenNodeBindingValidation feature gate is disabled";
}

function faultOf(
  what: "secret" | "pod" | "node",
  object: JsonObject | undefined,
  reference: ObjectReference,
  now: number,
): string | undefined {
  if (object === undefined) {
    return "service account token has been invalidated";
  }
  const { uid } = stateOf(object);
  if (uid !== reference.uid) {
    return `${what} UID (${uid}) does not match service account ${what} ref claim (${reference.uid})`;
  }
  return isGone(object, now) ? "service account token has been invalidated" : undefined;
}

/** Reports whether the deletion of an object began longer ago than the tolerance. */
function isGone(object: JsonObject, now: number): boolean {
  const { deletedAt } = stateOf(object);
  return deletedAt !== undefined && deletedAt < now - leewaySeconds;
}

/** Returns the uid, and the time at which the deletion began in seconds since 1970. */
export function stateOf(object: JsonObject): { readonly uid: string; readonly deletedAt: number | undefined } {
  const metadata: JsonValue | undefined = object["metadata"];
  const { uid, deletionTimestamp } = isJsonObject(metadata) ? metadata : {};
  return {
    uid: typeof uid === "string" ? uid : "",
    deletedAt: typeof deletionTimestamp === "string" ? Date.parse(deletionTimestamp) / 1000 : undefined,
  };
}

function authenticated(
  { features, now, metrics }: BoundTokensOptions,
  { subject, id }: RegisteredClaims,
  { namespace, serviceAccount, pod, node, warnAfter = 0 }: BoundClaims,
): AuthenticationDecision {
  const showsNode = pod === undefined ? features.nodeBinding : features.podNode;
  const user = serviceAccountUser({
    namespace,
    ...serviceAccount,
    pod,
    node: showsNode ? node : undefined,
    tokenId: features.tokenId ? id : undefined,
  });
  if (warnAfter === 0) {
    return { outcome: "authenticated", user };
  }
  const staleMs = now() - warnAfter * 1000;
  if (staleMs <= 0) {
    metrics.valid.inc();
    return { outcome: "authenticated", user };
  }
  metrics.stale.inc();
  const text = `subject: ${subject}, seconds after warning threshold: ${Math.floor(staleMs / 1000)}`;
  return { outcome: "authenticated", user, annotations: { "authentication.k8s.io/stale-token": text } };
}
