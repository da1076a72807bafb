import { matchedForms } from "@gatehouse/policies/admission-expressions";
import type { AdmissionAttributes } from "../attributes.js";
import { PerSortOfWrite } from "../matching/per-sort-of-write.js";
import type { ObjectAccess, ObjectView } from "../object-access.js";
import { isSameKind, type ObjectInterfaces, type ServedForm } from "../object-interfaces.js";
import { compileWebhooks, type Webhook, type WebhookType } from "./webhook.js";

/** A webhook whose rules match a sort of write. Its selectors are not yet matched. */
export interface Candidate {
  readonly webhook: Webhook;
  /** The index among all webhooks of its type. */
  readonly index: number;
  /** The form in which the webhook wants to see the object. */
  readonly form: ServedForm;
  /** True if that is not the form in which the object is written. */
  readonly converts: boolean;
}

/**
 * The webhooks of one type from the current configurations, in their order. Matching rules are computed once for each
 * sort of write, and again when a configuration or the set of served resources changes.
 */
export class WebhookSource {
  readonly #view: ObjectView<readonly Webhook[]>;
  readonly #forms: ObjectInterfaces;
  readonly #candidates = new PerSortOfWrite<readonly Candidate[]>();

  constructor(objects: ObjectAccess, forms: ObjectInterfaces, type: WebhookType) {
    this.#view = objects.view(resources[type], (configuration) => compileWebhooks(configuration, type));
    this.#forms = forms;
  }

  candidates(attributes: AdmissionAttributes): readonly Candidate[] {
    const configurations = this.#view.list("");
    if (configurations.length === 0) {
      return none;
    }
    return this.#candidates.get(attributes, [configurations, this.#forms.served], () =>
      candidatesOf(configurations.flat(), attributes, this.#forms),
    );
  }
}

const group = "admissionregistration.k8s.io";

const resources = {
  mutating: { group, resource: "mutatingwebhookconfigurations" },
  validating: { group, resource: "validatingwebhookconfigurations" },
};

const none: readonly Candidate[] = [];

function candidatesOf(
  webhooks: readonly Webhook[],
  attributes: AdmissionAttributes,
  forms: ObjectInterfaces,
): readonly Candidate[] {
  return webhooks.flatMap((webhook, index) => {
    // Rules of webhooks name no objects, so that the first form is the one.
    const form = matchedForms(webhook, attributes, forms)[0]?.form;
    return form === undefined ? [] : [{ webhook, index, form, converts: !isSameKind(form.kind, attributes.kind) }];
  });
}
