import type { rbacV1 } from "@gatehouse/envelopes/types";
import type { DocumentProblem } from "../document-problem/document-problem.js";

const rbacGroup = "rbac.authorization.k8s.io";

/** A function that reports whether the document has a role. */
export type RoleExists = (kind: string, namespace: string, name: string) => boolean;

/**
 * Returns the violations of the API's rules for a binding (v1.29), and a missing role: it can come only from the
 * document. `path` is the place of the binding.
 */
export function bindingProblems(
  binding: rbacV1.RoleBinding | rbacV1.ClusterRoleBinding,
  path: string,
  exists: RoleExists,
): readonly DocumentProblem[] {
  const isNamespaced = binding.kind === "RoleBinding";
  return [
    ...roleRefProblems(binding, `${path}.roleRef`, isNamespaced, exists),
    ...(binding.subjects ?? []).flatMap((subject, index) =>
      subjectProblems(subject, `${path}.subjects[${index}]`, isNamespaced),
    ),
  ];
}

function roleRefProblems(
  { roleRef, metadata }: rbacV1.RoleBinding | rbacV1.ClusterRoleBinding,
  path: string,
  isNamespaced: boolean,
  exists: RoleExists,
): readonly DocumentProblem[] {
  const { apiGroup, kind, name } = roleRef;
  const problems: DocumentProblem[] = [];
  if (apiGroup !== rbacGroup) {
    problems.push({ path: `${path}.apiGroup`, text: `must be ${rbacGroup}` });
  }
  const kinds = isNamespaced ? ["Role", "ClusterRole"] : ["ClusterRole"];
  if (!kinds.includes(kind)) {
    problems.push({ path: `${path}.kind`, text: `must be one of ${kinds.join(", ")}` });
  } else if (!exists(kind, kind === "Role" ? (metadata?.namespace ?? "") : "", name)) {
    problems.push({ path: `${path}.name`, text: `there is no ${kind} ${JSON.stringify(name)} in this document` });
  }
  return problems;
}

function subjectProblems(
  { kind, apiGroup, name, namespace }: rbacV1.Subject,
  path: string,
  isNamespaced: boolean,
): readonly DocumentProblem[] {
  const problems: DocumentProblem[] = [];
  if (name === "") {
    problems.push({ path: `${path}.name`, text: "must not be empty" });
  }
  if (kind === "ServiceAccount") {
    if (!isNamespaced && (namespace ?? "") === "") {
      problems.push({ path: `${path}.namespace`, text: "is required for a ServiceAccount" });
    }
    if ((apiGroup ?? "") !== "") {
      problems.push({ path: `${path}.apiGroup`, text: "must be empty for a ServiceAccount" });
    }
  } else if (kind === "User" || kind === "Group") {
    // The API fills it in where it is absent.
    if ((apiGroup ?? rbacGroup) !== rbacGroup) {
      problems.push({ path: `${path}.apiGroup`, text: `must be ${rbacGroup}` });
    }
  } else {
    problems.push({ path: `${path}.kind`, text: "must be one of User, Group, ServiceAccount" });
  }
  return problems;
}
