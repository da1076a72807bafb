import type { KindRules } from "@gatehouse/apiserver/registry";
import { FieldPath } from "@gatehouse/apiserver/validation";
import { valueAt } from "@gatehouse/envelopes/json";
import { podOptions } from "../pod/rules/options-of.js";
import { checkPodTemplate } from "../pod/rules/template.js";

const path = FieldPath.of("template");

/** Rules of PodTemplate: those of the template. */
export const podTemplateRules: KindRules = {
  create(object, errors, context) {
    checkPodTemplate(valueAt(object, "template"), path, errors, podOptions(undefined, false, context));
  },
  update(object, old, errors, context) {
    const options = podOptions(valueAt(old, "template"), false, context);
    checkPodTemplate(valueAt(object, "template"), path, errors, options);
  },
};
