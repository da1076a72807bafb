import { SelectorError } from "@gatehouse/envelopes/errors";
import { type LabelSelectorObject, labelSelectorOf } from "@gatehouse/envelopes/selectors";
import { parseAbacFile } from "../abac/parse-abac-file.js";
import { denialProblems } from "../denials/check-denials.js";
import type { DocumentProblem } from "../document-problem/document-problem.js";
import type { AuthorizationRules, RbacObject } from "./authorization-rules.js";
import { bindingProblems } from "./validate-bindings.js";
import { policyRuleProblems } from "./validate-policy-rules.js";

/** Returns the problems of rules whose shape has been checked. */
export function authorizationRulesProblems(document: AuthorizationRules): readonly DocumentProblem[] {
  const { denials = [], rbac = [], abac = "" } = document;
  return [
    ...denialProblems(denials, "denials"),
    ...rbacProblems(rbac),
    ...parseAbacFile(abac).problems.map(({ line, problem }) => ({ path: "abac", text: `line ${line}: ${problem}` })),
  ];
}

function rbacProblems(objects: readonly RbacObject[]): readonly DocumentProblem[] {
  const keys = new Set(objects.map(keyOf));
  const seen = new Set<string>();
  return objects.flatMap((object, index) => {
    const path = `rbac[${index}]`;
    const key = keyOf(object);
    const isRepeated = seen.has(key);
    seen.add(key);
    return [
      ...metadataProblems(object, path),
      ...(isRepeated ? [{ path: `${path}.metadata.name`, text: "is taken already" }] : []),
      ...contentProblems(object, path, (kind, namespace, name) => keys.has(keyText(kind, namespace, name))),
    ];
  });
}

function metadataProblems({ kind, metadata }: RbacObject, path: string): readonly DocumentProblem[] {
  const { name = "", namespace = "" } = metadata ?? {};
  const problems: DocumentProblem[] = [];
  if (name === "") {
    problems.push({ path: `${path}.metadata.name`, text: "is required" });
  }
  if (isNamespaced(kind) && namespace === "") {
    problems.push({ path: `${path}.metadata.namespace`, text: `is required for a ${kind}` });
  }
  if (!isNamespaced(kind) && namespace !== "") {
    problems.push({ path: `${path}.metadata.namespace`, text: `must not be there: a ${kind} is in no namespace` });
  }
  return problems;
}

function contentProblems(
  object: RbacObject,
  path: string,
  exists: (kind: string, namespace: string, name: string) => boolean,
): readonly DocumentProblem[] {
  switch (object.kind) {
    case "Role":
      return policyRuleProblems(object.rules ?? [], `${path}.rules`, true);
    case "ClusterRole": {
      const selectors = object.aggregationRule?.clusterRoleSelectors ?? [];
      return [
        ...policyRuleProblems(object.rules ?? [], `${path}.rules`, false),
        ...selectors.flatMap((selector, index) =>
          selectorProblems(selector, `${path}.aggregationRule.clusterRoleSelectors[${index}]`),
        ),
      ];
    }
    default:
      return bindingProblems(object, path, exists);
  }
}

function selectorProblems(selector: LabelSelectorObject, path: string): readonly DocumentProblem[] {
  try {
    labelSelectorOf(selector);
    return [];
  } catch (error) {
    if (!(error instanceof SelectorError)) {
      throw error;
    }
    return [{ path, text: error.message }];
  }
}

function keyOf({ kind, metadata }: RbacObject): string {
  return keyText(kind, metadata?.namespace ?? "", metadata?.name ?? "");
}

function keyText(kind: string, namespace: string, name: string): string {
  return JSON.stringify([kind, namespace, name]);
}

function isNamespaced(kind: string): boolean {
  return kind === "Role" || kind === "RoleBinding";
}
