import {
  integerAt,
  isSet,
  type JsonObject,
  type JsonValue,
  listAt,
  objectAt,
  textAt,
  textsAt,
} from "@gatehouse/envelopes/json";
import {
  compileResourceRule,
  MatchConditions,
  type ResourceRule,
  type Selector,
  selectorAt,
} from "@gatehouse/policies/admission-expressions";
import { metaOf } from "../../objects/object-meta.js";
import type { MatchConditionOwner } from "../expressions/match-condition-metrics.js";

/** The address of a webhook: a URL or a service. */
export interface WebhookAddress {
  /** The URL; undefined for a service. */
  readonly url: string | undefined;
  readonly service: WebhookService | undefined;
  /** The authorities in PEM, decoded; empty to trust only those of the host. */
  readonly caBundle: string;
}

/** A service of the cluster that a webhook stands behind. */
export interface WebhookService {
  readonly namespace: string;
  readonly name: string;
  readonly port: number;
  readonly path: string;
}

/** One webhook of a configuration, made ready to be matched and called. */
export interface Webhook {
  readonly configuration: string;
  readonly name: string;
  /** The identity of the webhook among all of its type, unique even for equal names in one configuration. */
  readonly id: string;
  readonly address: WebhookAddress;
  readonly rules: readonly ResourceRule[];
  /** True if rules also match writes through other versions of a resource (`matchPolicy: Equivalent`). */
  readonly matchesEquivalents: boolean;
  readonly namespaceSelector: Selector;
  readonly objectSelector: Selector;
  /** Conditions of writes that it is called about; undefined for none. */
  readonly conditions: MatchConditions | undefined;
  /** The webhook as metrics of match conditions name it. */
  readonly owner: MatchConditionOwner;
  /** True if a failed call does not stop the write (`failurePolicy: Ignore`). */
  readonly ignoresFailure: boolean;
  /** True if it may be called in a dry run. */
  readonly supportsDryRun: boolean;
  readonly timeoutMs: number;
  /** The first supported version of AdmissionReview; undefined for none. */
  readonly reviewVersion: "v1" | "v1beta1" | undefined;
  /** True if it may be called again when others have changed the object since (`reinvocationPolicy: IfNeeded`). */
  readonly isReinvocable: boolean;
}

/** The two types of webhooks. */
export type WebhookType = "mutating" | "validating";

/** Returns the webhooks of a MutatingWebhookConfiguration or ValidatingWebhookConfiguration, in their order. */
export function compileWebhooks(configuration: JsonObject, type: WebhookType): readonly Webhook[] {
  const { name: configurationName = "" } = metaOf(configuration);
  const seen = new Map<string, number>();
  return listAt(configuration, "webhooks").map((webhook) => {
    const name = textAt(webhook, "name");
    const earlier = seen.get(name) ?? 0;
    seen.set(name, earlier + 1);
    return compileWebhook(webhook, type, configurationName, `${configurationName}/${name}/${earlier}`);
  });
}

function compileWebhook(webhook: JsonValue, type: WebhookType, configuration: string, id: string): Webhook {
  const name = textAt(webhook, "name");
  const sideEffects = textAt(webhook, "sideEffects");
  const ignoresFailure = textAt(webhook, "failurePolicy") === "Ignore";
  const conditions = listAt(webhook, "matchConditions");
  const owner = { name, kind: "webhook", type: type === "mutating" ? "admit" : "validating" } as const;
  return {
    configuration,
    name,
    id,
    address: addressOf(objectAt(webhook, "clientConfig")),
    rules: listAt(webhook, "rules").map(compileResourceRule),
    matchesEquivalents: textAt(webhook, "matchPolicy") === "Equivalent",
    namespaceSelector: selectorAt(webhook, "namespaceSelector"),
    objectSelector: selectorAt(webhook, "objectSelector"),
    conditions:
      conditions.length === 0 ? undefined : new MatchConditions({ conditions, hasParams: false, ignoresFailure }),
    owner,
    ignoresFailure,
    supportsDryRun: sideEffects === "None" || sideEffects === "NoneOnDryRun",
    timeoutMs: isSet(webhook, "timeoutSeconds") ? Number(integerAt(webhook, "timeoutSeconds")) * 1000 : 10_000,
    reviewVersion: textsAt(webhook, "admissionReviewVersions").find(isKnownVersion),
    isReinvocable: textAt(webhook, "reinvocationPolicy") === "IfNeeded",
  };
}

function isKnownVersion(version: string): version is "v1" | "v1beta1" {
  return version === "v1" || version === "v1beta1";
}

function addressOf(clientConfig: JsonObject): WebhookAddress {
  const service = isSet(clientConfig, "service") ? objectAt(clientConfig, "service") : undefined;
  return {
    url: isSet(clientConfig, "url") ? textAt(clientConfig, "url") : undefined,
    service:
      service === undefined
        ? undefined
        : {
            namespace: textAt(service, "namespace"),
            name: textAt(service, "name"),
            port: Number(integerAt(service, "port")) || 443,
            path: textAt(service, "path"),
          },
    caBundle: Buffer.from(textAt(clientConfig, "caBundle"), "base64").toString(),
  };
}
