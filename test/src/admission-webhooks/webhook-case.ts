import type { Hook, HookAnswer, Review } from "./hook-server.js";

/** A webhook of a case, without what all have in common. */
export interface CaseWebhook {
  /** `mutating` goes into a MutatingWebhookConfiguration. */
  readonly type: "mutating" | "validating";
  /** Name of the configuration; the name of the webhook is this with `.example.com`. Webhooks of one name share one. */
  readonly name: string;
  /** Hook that answers; the path is the name. */
  readonly hook?: Hook;
  /** Name of the server to call; default: the good server. */
  readonly at?: string;
  /** Members of the webhook, over those that every webhook has. */
  readonly more?: Readonly<Record<string, unknown>>;
}

/** A request that a case sends. */
export interface CaseRequest {
  /** `WAIT` is a GET that is repeated until it is answered with 200. */
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly contentType?: string;
}

/**
 * Some webhooks, some requests. {ns} stands for a namespace of the case's own, {GOOD} for the URL of the good server, and
 * {CA} for the authority of its certificate.
 */
export interface WebhookCase {
  readonly name: string;
  /** Requests before the webhooks are created. */
  readonly before?: readonly CaseRequest[];
  readonly webhooks: readonly CaseWebhook[];
  /** Hooks at other paths of the good server. The number of their calls is not compared. */
  readonly others?: Readonly<Record<string, Hook>>;
  readonly requests: readonly CaseRequest[];
  /** Requests after the webhooks are deleted, for objects in no namespace. */
  readonly after?: readonly CaseRequest[];
}

export const configMaps = "/api/v1/namespaces/{ns}/configmaps";

export function configMap(name: string, more: Record<string, unknown> = {}): Record<string, unknown> {
  const { metadata = {}, ...rest } = more;
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, ...(metadata as object) },
    data: { a: "1" },
    ...rest,
  };
}

export const create = (name: string, more: Record<string, unknown> = {}, query = ""): CaseRequest => ({
  method: "POST",
  path: `${configMaps}${query}`,
  body: configMap(name, more),
});

/** An answer in the version that was asked in. */
export function answer({ apiVersion, request }: Review, response: Record<string, unknown>): HookAnswer {
  return { json: { apiVersion, kind: "AdmissionReview", response: { uid: request.uid, ...response } } };
}

export const allow =
  (more: Record<string, unknown> = {}): Hook =>
  (review) =>
    answer(review, { allowed: true, ...more });

export const deny =
  (status?: Record<string, unknown>): Hook =>
  (review) =>
    answer(review, { allowed: false, ...(status === undefined ? {} : { status }) });

export const patch = (operations: unknown, more: Record<string, unknown> = {}): Hook =>
  allow({ patchType: "JSONPatch", patch: base64(operations), ...more });

export function base64(value: unknown): string {
  return Buffer.from(typeof value === "string" ? value : JSON.stringify(value)).toString("base64");
}
