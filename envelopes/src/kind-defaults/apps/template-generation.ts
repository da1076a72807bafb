/** apps/v1 has no member for the number of the pod template; the server keeps it here. */
export const templateGenerationAnnotation = "deprecated.daemonset.template.generation";
