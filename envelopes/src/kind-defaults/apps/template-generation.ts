/** The annotation with the number of the pod template, for which apps/v1 has no member. */
export const templateGenerationAnnotation = "deprecated.daemonset.template.generation";
