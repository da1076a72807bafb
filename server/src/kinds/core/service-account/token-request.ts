import { serviceAccountUsername } from "@gatehouse/apiserver/authentication";
import { metaOf, timestamp } from "@gatehouse/apiserver/objects";
import type { FeatureGates } from "@gatehouse/apiserver/options";
import type { RequestContext } from "@gatehouse/apiserver/request";
import { type AnsweredKind, checkNameParameter, expectedKind } from "@gatehouse/apiserver/verbs";
import { goGroupVersionKind } from "@gatehouse/envelopes/go";
import { integerAt, isJsonObject, type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { badRequest, conflict, fieldError, invalid, notFound, type StatusError } from "@gatehouse/envelopes/status";
import type { BoundObjects } from "../../../service-accounts/bound-objects.js";
import type { TokenSigner } from "../../../service-accounts/token-signer.js";

/** The parts and settings that token requests need. */
export interface TokenRequestParts {
  readonly signer: TokenSigner;
  readonly objects: BoundObjects;
  readonly apiAudiences: readonly string[];
  /** The limit on the lifetime of tokens in seconds; 0 for none. */
  readonly maxExpirationSeconds: number;
  /** True to extend tokens injected into pods (`--service-account-extend-token-expiration`). */
  readonly extendExpiration: boolean;
  readonly features: Pick<FeatureGates, "enabled">;
  /** Returns the time in milliseconds since the epoch. */
  readonly now: () => number;
  readonly randomId: () => string;
}

const minSeconds = 600;
const maxSeconds = 2 ** 32;
/** Lifetime in seconds that admission requests for pods, odd enough to identify its requests. */
const injectedSeconds = 3607;
const yearSeconds = 365 * 24 * 60 * 60;

const kindName = { group: "authentication.k8s.io", kind: "TokenRequest" } as const;

/**
 * Returns the handler for POST of a service account's /token: issues a token that is valid no longer than the object it
 * is bound to.
 */
export function tokenRequest(parts: TokenRequestParts): AnsweredKind {
  return {
    kind: () => expectedKind(kindName.group, "v1", kindName.kind),
    async check(request, { info: { namespace, name } }) {
      const meta = metaOf(request);
      if (meta.name !== undefined && meta.name !== "" && meta.name !== name) {
        const problem = "must match the service account name if specified";
        throw invalid(kindName, name, [fieldError.invalid("metadata.name", meta.name, problem)]);
      }
      await findAccount(parts, namespace, name);
      meta.name = name;
      meta.creationTimestamp = timestamp(parts.now());
      const spec = objectAt(request, "spec");
      if (listAt(spec, "audiences").length === 0) {
        request["spec"] = { ...spec, audiences: [...parts.apiAudiences] };
      }
      delete request["status"];
      checkExpiration(integerAt(request, "spec", "expirationSeconds"));
    },
    answer: (request, context) => issue(parts, request, context),
  };
}

function checkExpiration(seconds: number | bigint): void {
  const problem =
    seconds < minSeconds
      ? "may not specify a duration less than 10 minutes"
      : seconds > maxSeconds
        ? "may not specify a duration larger than 2^32 seconds"
        : undefined;
  if (problem !== undefined) {
    throw invalid(kindName, "", [fieldError.invalid("spec.expirationSeconds", seconds, problem)]);
  }
}

async function findAccount({ objects }: TokenRequestParts, namespace: string, name: string): Promise<JsonObject> {
  const account = await objects.find("serviceaccounts", namespace, name);
  if (account === undefined) {
    throw notFound({ group: "", resource: "serviceaccounts" }, name);
  }
  return account;
}

async function issue(parts: TokenRequestParts, request: JsonObject, context: RequestContext): Promise<JsonObject> {
  const { namespace, name } = context.info;
  const account = await findAccount(parts, namespace, name);
  const bound = await boundClaims(parts, request, context);
  const audiences = listAt(request, "spec", "audiences").map(String);
  const seconds = boundedSeconds(parts, Number(integerAt(request, "spec", "expirationSeconds")), context);
  const isExtended =
    parts.extendExpiration &&
    bound["pod"] !== undefined &&
    seconds === injectedSeconds &&
    audiences.every((audience) => parts.apiAudiences.includes(audience));
  const now = Date.parse(timestamp(parts.now())) / 1000;
  const token = await parts.signer.sign({
    aud: audiences,
    exp: now + (isExtended ? yearSeconds : seconds),
    iat: now,
    ...(parts.features.enabled("ServiceAccountTokenJTI") ? { jti: parts.randomId() } : {}),
    "kubernetes.io": {
      namespace,
      ...bound,
      serviceaccount: { name, uid: textAt(account, "metadata", "uid") },
      ...(isExtended ? { warnafter: now + injectedSeconds } : {}),
    },
    nbf: now,
    sub: serviceAccountUsername(namespace, name),
  });
  return {
    ...request,
    spec: { ...objectAt(request, "spec"), expirationSeconds: seconds },
    status: { token, expirationTimestamp: timestamp((now + seconds) * 1000) },
  };
}

function boundedSeconds(
  { maxExpirationSeconds: most }: TokenRequestParts,
  asked: number,
  context: RequestContext,
): number {
  if (most === 0 || asked <= most) {
    return asked;
  }
  context.warn(`requested expiration of ${asked} seconds shortened to ${most} seconds`);
  return most;
}

/** Returns the claims about the object that the token is bound to. Throws 400, 404 or 409. */
async function boundClaims(
  parts: TokenRequestParts,
  request: JsonObject,
  { info: { namespace, name } }: RequestContext,
): Promise<Record<string, { name: string; uid: string }>> {
  const reference = objectAt(request, "spec")["boundObjectRef"];
  if (!isJsonObject(reference)) {
    return {};
  }
  const { objects, features } = parts;
  const [kind, apiVersion] = [textAt(reference, "kind"), textAt(reference, "apiVersion")];
  const bound = textAt(reference, "name");
  const isCore = !apiVersion.includes("/");
  if (isCore && kind === "Pod") {
    const pod = await findBound(objects, "pods", namespace, bound);
    if (textAt(pod, "spec", "serviceAccountName") !== name) {
      throw badRequest(
        `cannot bind token for serviceaccount ${JSON.stringify(name)} to pod running with different serviceaccount name.`,
      );
    }
    const node = features.enabled("ServiceAccountTokenPodNodeInfo") ? await nodeOf(objects, pod) : undefined;
    return { ...(node === undefined ? {} : { node }), pod: claimOf(pod, reference) };
  }
  if (isCore && kind === "Node") {
    if (!features.enabled("ServiceAccountTokenNodeBinding")) {
      throw badRequest(
        'cannot bind token to a Node object as the "ServiceAccountTokenNodeBinding" feature-gate is disabled',
      );
    }
    return { node: claimOf(await findBound(objects, "nodes", "", bound), reference) };
  }
  if (isCore && kind === "Secret") {
    return { secret: claimOf(await findBound(objects, "secrets", namespace, bound), reference) };
  }
  throw badRequest(`cannot bind token to object of type ${goGroupVersionKind(apiVersion, kind)}`);
}

async function findBound(
  objects: BoundObjects,
  resource: "pods" | "secrets" | "nodes",
  namespace: string,
  name: string,
): Promise<JsonObject> {
  checkNameParameter(name);
  const object = await objects.find(resource, namespace, name);
  if (object === undefined) {
    throw notFound({ group: "", resource }, name);
  }
  return object;
}

function claimOf(object: JsonObject, reference: JsonObject): { name: string; uid: string } {
  const uid = textAt(object, "metadata", "uid");
  const [wanted, name] = [textAt(reference, "uid"), textAt(reference, "name")];
  if (wanted !== "" && wanted !== uid) {
    throw otherUid(textAt(reference, "kind"), name, wanted);
  }
  return { name, uid };
}

function otherUid(kind: string, name: string, wanted: string): StatusError {
  const problem = `the UID in the bound object reference (${wanted}) does not match the UID in record. The object might have been deleted and then recreated`;
  return conflict({ group: "", resource: kind }, name, problem);
}

/** Returns the node of a pod; without a uid when there is no such node. */
async function nodeOf(objects: BoundObjects, pod: JsonObject): Promise<{ name: string; uid: string } | undefined> {
  const name = textAt(pod, "spec", "nodeName");
  const node = name === "" ? undefined : await objects.find("nodes", "", name);
  return name === "" ? undefined : { name, uid: textAt(node, "metadata", "uid") };
}
