import {
  integerAt,
  isJsonObject,
  isSet,
  type JsonObject,
  type JsonValue,
  type LabelSelector,
  type LabelSelectorObject,
  labelSelectorOf,
  listAt,
  objectAt,
  SelectorError,
  textAt,
  textsAt,
} from "@gatehouse/envelopes";
import { metaOf } from "../../objects/object-meta.js";
import { compileRule, type WebhookRule } from "./webhook-rule.js";

/** Where a webhook is called. */
export interface WebhookAddress {
  /** Undefined for a service. */
  readonly url: string | undefined;
  readonly service: WebhookService | undefined;
  /** PEM, decoded; empty when only the host's own authorities are trusted. */
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
  /** Tells it apart from all others of its type, those of the same name in its configuration included. */
  readonly id: string;
  readonly address: WebhookAddress;
  readonly rules: readonly WebhookRule[];
  /** Rules also match writes through other versions of what they name (`matchPolicy: Equivalent`). */
  readonly matchesEquivalents: boolean;
  readonly namespaceSelector: Selector;
  readonly objectSelector: Selector;
  /** What goes wrong with a call does not stop the write (`failurePolicy: Ignore`). */
  readonly ignoresFailure: boolean;
  /** May be called in a dry run. */
  readonly supportsDryRun: boolean;
  readonly timeoutMs: number;
  /** The first version of AdmissionReview that we know, too; undefined when there is none. */
  readonly reviewVersion: "v1" | "v1beta1" | undefined;
  /** May be called again when others have changed the object since (`reinvocationPolicy: IfNeeded`). */
  readonly isReinvocable: boolean;
}

/** A selector, or what is wrong with it. */
export type Selector = LabelSelector | { readonly problem: string };

/** The webhooks of a MutatingWebhookConfiguration or ValidatingWebhookConfiguration, in their order. */
export function compileWebhooks(configuration: JsonObject): readonly Webhook[] {
  const { name: configurationName = "" } = metaOf(configuration);
  const seen = new Map<string, number>();
  return listAt(configuration, "webhooks").map((webhook) => {
    const name = textAt(webhook, "name");
    const earlier = seen.get(name) ?? 0;
    seen.set(name, earlier + 1);
    return compileWebhook(webhook, configurationName, `${configurationName}/${name}/${earlier}`);
  });
}

function compileWebhook(webhook: JsonValue, configuration: string, id: string): Webhook {
  const sideEffects = textAt(webhook, "sideEffects");
  return {
    configuration,
    name: textAt(webhook, "name"),
    id,
    address: addressOf(objectAt(webhook, "clientConfig")),
    rules: listAt(webhook, "rules").map(compileRule),
    matchesEquivalents: textAt(webhook, "matchPolicy") === "Equivalent",
    namespaceSelector: selectorOf(webhook, "namespaceSelector"),
    objectSelector: selectorOf(webhook, "objectSelector"),
    ignoresFailure: textAt(webhook, "failurePolicy") === "Ignore",
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

/** Defaults have put an empty selector where there was none; the rules for configurations let no broken one in. */
function selectorOf(webhook: JsonValue, member: string): Selector {
  const selector = isJsonObject(webhook) ? webhook[member] : undefined;
  try {
    return labelSelectorOf((selector ?? {}) as LabelSelectorObject);
  } catch (error) {
    if (error instanceof SelectorError) {
      return { problem: error.message };
    }
    throw error;
  }
}
