import type { KindValidation } from "@gatehouse/apiserver/registry";
import { FieldPath } from "@gatehouse/apiserver/validation";
import { valueAt } from "@gatehouse/envelopes/json";
import { podOptions } from "../pod/validation/options-of.js";
import { validatePodTemplate } from "../pod/validation/template.js";

const path = FieldPath.of("template");

/** Rules of PodTemplate: those of the template. */
export const podTemplateValidation: KindValidation = {
  create(object, errors, context) {
    validatePodTemplate(valueAt(object, "template"), path, errors, podOptions(undefined, false, context));
  },
  update(object, old, errors, context) {
    const options = podOptions(valueAt(old, "template"), false, context);
    validatePodTemplate(valueAt(object, "template"), path, errors, options);
  },
};
