import { forbidden, internalError } from "@gatehouse/envelopes/status";
import type { MaybePromise } from "../../request/handler.js";
import type { AdmissionAttributes } from "../attributes.js";
import { AdmissionVariables } from "../expressions/admission-variables.js";
import type { MatchConditions, MatchOutcome } from "../expressions/match-conditions.js";
import { type VersionedObjects, versionedObjects } from "../expressions/versioned-objects.js";
import type { ObjectInterfaces, ServedForm } from "../object-interfaces.js";
import type { WebhookDispatch } from "./webhook-dispatch.js";
import type { Candidate } from "./webhook-source.js";

/** The matching of one write by selectors and match conditions of webhooks, after their rules have matched. */
export class WebhookMatching {
  readonly #dispatch: WebhookDispatch;
  readonly #attributes: AdmissionAttributes;
  #variables: AdmissionVariables | undefined;

  constructor(dispatch: WebhookDispatch, attributes: AdmissionAttributes) {
    this.#dispatch = dispatch;
    this.#attributes = attributes;
  }

  /**
   * Reports whether a webhook is to be called. Throws 404 when a namespace that matters does not exist, 403 when match
   * conditions fail and the failure policy lets nothing pass.
   */
  matches(candidate: Candidate): MaybePromise<boolean> {
    const { webhook } = candidate;
    const selected = this.#dispatch.selectors.match(webhook, this.#attributes);
    const { conditions } = webhook;
    if (conditions === undefined) {
      return selected;
    }
    return selected instanceof Promise
      ? selected.then((isSelected) => isSelected && this.#meets(conditions, candidate))
      : selected && this.#meets(conditions, candidate);
  }

  #meets(conditions: MatchConditions, { form, converts }: Candidate): MaybePromise<boolean> {
    const attributes = this.#attributes;
    const { authorizer, conditionMetrics, forms } = this.#dispatch;
    if (converts) {
      return convertedObjects(attributes, form, forms)
        .then((objects) => new AdmissionVariables({ attributes, objects, authorizer }))
        .then((variables) => conditions.match(variables, attributes, conditionMetrics))
        .then((outcome) => this.#conclude(outcome));
    }
    // Made once: objects stay in place when they are changed.
    this.#variables ??= new AdmissionVariables({ attributes, objects: attributes, authorizer });
    const outcome = conditions.match(this.#variables, attributes, conditionMetrics);
    return outcome instanceof Promise ? outcome.then((ended) => this.#conclude(ended)) : this.#conclude(outcome);
  }

  #conclude(outcome: MatchOutcome): boolean {
    if (typeof outcome === "object") {
      throw forbidden(this.#attributes.resource, this.#attributes.name, outcome.error);
    }
    return outcome === "matches";
  }
}

/** Returns the objects of a write in another form. Rejects with 500 when they cannot be converted. */
async function convertedObjects(
  attributes: AdmissionAttributes,
  form: ServedForm,
  forms: ObjectInterfaces,
): Promise<VersionedObjects> {
  try {
    return await versionedObjects(attributes, form, forms);
  } catch (error) {
    throw internalError(error instanceof Error ? error.message : String(error), error);
  }
}
