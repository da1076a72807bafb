import type { KindValidation } from "@gatehouse/apiserver/registry";
import { FieldErrors, FieldPath, validateLabelSelector } from "@gatehouse/apiserver/validation";
import { isSameState } from "@gatehouse/envelopes/go";
import {
  type JsonArray,
  type JsonObject,
  type JsonValue,
  listAt,
  textAt,
  textsAt,
  valueAt,
} from "@gatehouse/envelopes/json";
import type { Steps } from "@gatehouse/envelopes/scheduling";
import { hasKnownReviewVersion, validateAdmissionReviewVersions } from "./admission-review-versions.js";
import { noSideEffects, validateWebhook, type WebhookOptions } from "./webhook.js";

const path = FieldPath.of("webhooks");

/** Rules of both kinds of webhook configurations. */
export const webhookConfigurationValidation: KindValidation = {
  create: (configuration, errors) => validateWebhooks(configuration, errors, strict),
  update: (configuration, old, errors) => validateWebhooks(configuration, errors, optionsFor(configuration, old)),
};

const strict: WebhookOptions = {
  noSideEffects: true,
  knownReviewVersion: true,
  uniqueNames: true,
  anySelectorValue: false,
  storedExpressions: new Set(),
};

function* validateWebhooks(configuration: JsonObject, errors: FieldErrors, options: WebhookOptions): Steps {
  const names = new Set<string>();
  for (const [index, webhook] of listAt(configuration, "webhooks").entries()) {
    if (errors.isFull) {
      return;
    }
    const at = path.index(index);
    yield* validateWebhook(webhook, at, errors, options);
    validateAdmissionReviewVersions(webhook, at.child("admissionReviewVersions"), errors, options.knownReviewVersion);
    const name = textAt(webhook, "name");
    if (options.uniqueNames && names.has(name)) {
      errors.duplicate(at.child("name"), name);
    }
    if (name !== "") {
      names.add(name);
    }
  }
}

function optionsFor(configuration: JsonObject, old: JsonObject): WebhookOptions {
  const before = listAt(old, "webhooks");
  const names = before.map((webhook) => textAt(webhook, "name"));
  return {
    noSideEffects: before.every((webhook) => noSideEffects.includes(textAt(webhook, "sideEffects"))),
    knownReviewVersion: before.every((webhook) => {
      const versions = textsAt(webhook, "admissionReviewVersions");
      return versions.length === 0 || hasKnownReviewVersion(versions);
    }),
    uniqueNames: new Set(names).size === names.length,
    anySelectorValue: hasInvalidSelector(before),
    storedExpressions: isSameState(conditionsOf(listAt(configuration, "webhooks")), conditionsOf(before))
      ? undefined
      : new Set(before.flatMap(expressionsOf)),
  };
}

function conditionsOf(webhooks: JsonArray): JsonArray {
  return webhooks.map((webhook) => valueAt(webhook, "matchConditions") ?? null);
}

function expressionsOf(webhook: JsonValue): readonly string[] {
  return listAt(webhook, "matchConditions").map((condition) => textAt(condition, "expression"));
}

function hasInvalidSelector(webhooks: JsonArray): boolean {
  const errors = new FieldErrors();
  for (const webhook of webhooks) {
    validateLabelSelector(valueAt(webhook, "namespaceSelector"), path, errors);
    validateLabelSelector(valueAt(webhook, "objectSelector"), path, errors);
    if (errors.list.length > 0) {
      return true;
    }
  }
  return false;
}
