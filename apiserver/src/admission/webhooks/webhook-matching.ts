import { forbidden, internalError } from "@gatehouse/envelopes/status";
import {
  AdmissionVariables,
  type MatchConditions,
  type MatchOutcome,
  type VersionedObjects,
} from "@gatehouse/policies/admission-expressions";
import type { MaybePromise } from "../../request/handler.js";
import type { AdmissionAttributes } from "../attributes.js";
import { measuredMatch } from "../expressions/measured-match.js";
import { versionedObjects } from "../expressions/versioned-objects.js";
import { WriteSource } from "../expressions/write-source.js";
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

  #meets(conditions: MatchConditions, candidate: Candidate): MaybePromise<boolean> {
    const { conditionMetrics } = this.#dispatch;
    const { owner } = candidate.webhook;
    const conclude = (outcome: MatchOutcome): boolean => {
      if (typeof outcome === "object") {
        throw forbidden(this.#attributes.resource, this.#attributes.name, outcome.error);
      }
      if (outcome === "excluded") {
        conditionMetrics.excluded(owner, this.#attributes.operation);
      }
      return outcome === "matches";
    };
    const match = (variables: AdmissionVariables): MaybePromise<MatchOutcome> =>
      measuredMatch(conditions, owner, variables, this.#attributes, conditionMetrics);
    const variables = this.#variablesOf(candidate);
    const outcome = variables instanceof Promise ? variables.then(match) : match(variables);
    return outcome instanceof Promise ? outcome.then(conclude) : conclude(outcome);
  }

  /** Returns the variables of a form: those of the own form once, since objects stay in place when they are changed. */
  #variablesOf({ form, converts }: Candidate): MaybePromise<AdmissionVariables> {
    const attributes = this.#attributes;
    if (converts) {
      return convertedObjects(attributes, form, this.#dispatch.forms).then((objects) => this.#variablesFor(objects));
    }
    this.#variables ??= this.#variablesFor(attributes);
    return this.#variables;
  }

  #variablesFor(objects: VersionedObjects): AdmissionVariables {
    const write = this.#attributes;
    const source = new WriteSource(write, this.#dispatch.authorizer);
    return new AdmissionVariables({ write, source, objects, hasAuthorizer: true });
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
