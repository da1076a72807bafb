import { isSameBySchema, metaOf } from "@gatehouse/apiserver/objects";
import { generationOfSpec, type KindStrategy } from "@gatehouse/apiserver/registry";
import { type JsonObject, valueAt } from "@gatehouse/envelopes/json";
import { templateGenerationAnnotation } from "@gatehouse/envelopes/kind-defaults";
import { messageSchema } from "@gatehouse/envelopes/schema";
import { podTemplateWarnings } from "../../core/pod/warnings.js";
import { daemonSetValidation } from "./validation.js";

const templateMessage = "k8s.io.api.core.v1.PodTemplateSpec";

/** The strategy of DaemonSet, which counts changes of the pod template apart from those of the whole spec. */
export const daemonSetStrategy: KindStrategy = {
  validation: daemonSetValidation,
  warnings: (daemonSet, old) =>
    old !== undefined && templateGeneration(daemonSet) === templateGeneration(old)
      ? []
      : podTemplateWarnings(valueAt(daemonSet, "spec", "template"), "spec.template."),
  metadata: { rechecks: "inValidation" },
  generation: generationOfSpec,
  create: {
    prepareForCreate(daemonSet) {
      setTemplateGeneration(daemonSet, Math.max(1, templateGeneration(daemonSet)));
    },
  },
  update: {
    prepareForUpdate(daemonSet, old) {
      const template = valueAt(daemonSet, "spec", "template");
      const changed = !isSameBySchema(messageSchema(templateMessage), template, valueAt(old, "spec", "template"));
      setTemplateGeneration(daemonSet, templateGeneration(old) + (changed ? 1 : 0));
    },
  },
  status: {
    prepareForUpdate(daemonSet, old) {
      setTemplateGeneration(daemonSet, templateGeneration(old));
    },
  },
};

function templateGeneration(daemonSet: JsonObject): number {
  const number = Number(metaOf(daemonSet).annotations?.[templateGenerationAnnotation] ?? 0);
  return Number.isSafeInteger(number) ? number : 0;
}

function setTemplateGeneration(daemonSet: JsonObject, generation: number): void {
  const meta = metaOf(daemonSet);
  meta.annotations = { ...meta.annotations, [templateGenerationAnnotation]: String(generation) };
}
