import type { ReportRule } from "@gatehouse/component-base/manifests";
import type { Hook } from "../../../toolkit/hooks/hook.js";
import type { HookRule } from "../../../toolkit/hooks/hook-options.js";

/** The rule of findings that come from no hook or policy. */
export const manifestRule = "manifest";

const manifestDescription: ReportRule = {
  id: manifestRule,
  title: "Manifests that an API server can take",
  description:
    "Finds documents that are not valid YAML, have no apiVersion or kind, are of a kind that there is not, or have fields that their kind does not have or of another type.",
};

/** Describes the rules of a check: those of every manifest, hooks, and policies and definitions by their names. */
export function reportRules(
  hooks: readonly Hook[],
  policies: readonly string[],
  definitions: readonly string[],
): readonly ReportRule[] {
  return [
    manifestDescription,
    ...hooks.map(hookDescription),
    ...policies.map((name) => ({
      id: name,
      title: `Admission policy ${name}`,
      description: `The ValidatingAdmissionPolicy ${name}, by its bindings.`,
    })),
    ...definitions.map((name) => ({
      id: name,
      title: `Custom resources of ${name}`,
      description: `The CustomResourceDefinition ${name}, by its schema and the rules in it.`,
    })),
  ];
}

function hookDescription({ name, type, rules }: Hook): ReportRule {
  const asked = rules.map(describeMatch).join("; ");
  return {
    id: name,
    title: `Admission hook ${name}`,
    description: `The ${type} admission hook ${name}, which is asked about: ${asked}.`,
  };
}

function describeMatch({ operations, apiGroups, resources }: HookRule): string {
  const groups = apiGroups.map((group) => (group === "" ? "the core group" : group));
  return `${operations.join(", ")} of ${resources.join(", ")} in ${groups.join(", ")}`;
}
