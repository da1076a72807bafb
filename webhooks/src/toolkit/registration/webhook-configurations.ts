import type { admissionregistrationV1 } from "@gatehouse/envelopes/types";
import type { Hook } from "../hooks/hook.js";
import { admissionReviewVersions } from "../review/admission-review.js";

/** The location of the hooks for an API server: an address, or a Service of the cluster. Hooks add their paths. */
export type HookLocation =
  | { readonly url: string }
  | { readonly service: { readonly namespace: string; readonly name: string; readonly port?: number } };

/** Options of `webhookConfigurations()`. */
export interface RegistrationOptions {
  readonly hooks: readonly Hook[];
  /** Name of the configuration objects. Mutating ones are called in the order of these names. */
  readonly name: string;
  readonly location: HookLocation;
  /** Authorities that sign the certificate of the hooks, as PEM. Default: those of the API server's system. */
  readonly caBundlePem?: string;
  /** Namespace that the hooks run in and do not apply to: otherwise they could prevent themselves from starting. */
  readonly ownNamespace?: string;
  /** Path at which the hooks are mounted, without a slash at the end. Default: the root. */
  readonly mountedAt?: string;
}

type Configuration =
  | admissionregistrationV1.MutatingWebhookConfiguration
  | admissionregistrationV1.ValidatingWebhookConfiguration;

/**
 * Returns the objects that register hooks with an API server: a MutatingWebhookConfiguration, a
 * ValidatingWebhookConfiguration, or both. Every member with a default is set, so that the stored object equals this one.
 *
 * @example
 * const [configuration] = webhookConfigurations({
 *   hooks: [noLatestTag],
 *   name: "my-hooks",
 *   location: { service: { namespace: "my-hooks", name: "hooks" } },
 *   caBundlePem: await readFile("ca.crt", "utf8"),
 *   ownNamespace: "my-hooks",
 * });
 */
export function webhookConfigurations(options: RegistrationOptions): Configuration[] {
  const mutating = options.hooks.filter(({ type }) => type === "mutating");
  const validating = options.hooks.filter(({ type }) => type === "validating");
  const configurations: Configuration[] = [];
  const metadata = { name: options.name };
  if (mutating.length > 0) {
    configurations.push({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "MutatingWebhookConfiguration",
      metadata,
      webhooks: mutating.map((hook) => ({
        ...webhookOf(hook, options),
        reinvocationPolicy: hook.reinvocationPolicy,
      })),
    });
  }
  if (validating.length > 0) {
    configurations.push({
      apiVersion: "admissionregistration.k8s.io/v1",
      kind: "ValidatingWebhookConfiguration",
      metadata,
      webhooks: validating.map((hook) => webhookOf(hook, options)),
    });
  }
  return configurations;
}

function webhookOf(hook: Hook, options: RegistrationOptions): admissionregistrationV1.ValidatingWebhook {
  return {
    name: hook.name,
    clientConfig: clientConfigFor(hook.path, options),
    rules: hook.rules.map((rule) => ({
      operations: [...rule.operations],
      apiGroups: [...rule.apiGroups],
      apiVersions: [...rule.apiVersions],
      resources: [...rule.resources],
      scope: rule.scope ?? "*",
    })),
    failurePolicy: hook.failurePolicy,
    matchPolicy: hook.matchPolicy,
    namespaceSelector: namespaceSelectorOf(hook, options.ownNamespace),
    objectSelector: hook.objectSelector,
    ...matchConditionsOf(hook),
    sideEffects: hook.sideEffects,
    timeoutSeconds: hook.timeoutSeconds,
    admissionReviewVersions: [...admissionReviewVersions],
  };
}

/** Returns the match conditions of a hook; no member for none, since servers store none. */
function matchConditionsOf({
  matchConditions,
}: Hook): Pick<admissionregistrationV1.ValidatingWebhook, "matchConditions"> {
  return matchConditions.length === 0
    ? {}
    : { matchConditions: matchConditions.map((condition) => ({ ...condition })) };
}

/** Returns the client configuration by which API servers reach `path`. */
export function clientConfigFor(
  path: string,
  options: Pick<RegistrationOptions, "location" | "caBundlePem" | "mountedAt">,
): admissionregistrationV1.WebhookClientConfig {
  const { location, mountedAt = "", caBundlePem } = options;
  const fullPath = `${mountedAt}${path}`;
  const caBundle = caBundlePem === undefined ? {} : { caBundle: Buffer.from(caBundlePem).toString("base64") };
  return "url" in location
    ? { url: `${location.url.replace(/\/+$/, "")}${fullPath}`, ...caBundle }
    : { service: { ...location.service, port: location.service.port ?? 443, path: fullPath }, ...caBundle };
}

function namespaceSelectorOf(hook: Hook, ownNamespace: string | undefined): Hook["namespaceSelector"] {
  if (ownNamespace === undefined) {
    return hook.namespaceSelector;
  }
  const exemption = { key: "kubernetes.io/metadata.name", operator: "NotIn" as const, values: [ownNamespace] };
  const { matchExpressions = [] } = hook.namespaceSelector;
  return { ...hook.namespaceSelector, matchExpressions: [...matchExpressions, exemption] };
}
