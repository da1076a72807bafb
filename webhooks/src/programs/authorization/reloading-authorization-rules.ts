import {
  type ConfigDocument,
  checkConfigDocument,
  type DocumentValidator,
  documentValidator,
  readConfigFile,
} from "@gatehouse/component-base/config-documents";
import type { FollowedFiles } from "@gatehouse/component-base/files";
import { ConfigurationError, type Problem, problemAt } from "@gatehouse/component-base/problems";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { type KindSchema, kindSchema } from "@gatehouse/envelopes/schema";
import {
  type AuthorizationRules,
  authorizationRulesProblems,
  type CompiledAuthorizationRules,
  compileAuthorizationRules,
} from "@gatehouse/policies/authorization-rules";
import { documentHash } from "../review-program/document-hash.js";
import { openReloadingDocument, type ReloadingDocumentOptions } from "../review-program/reloading-document.js";

/** The rules in force, with their hash. */
export interface AuthorizationRuleSet {
  readonly rules: CompiledAuthorizationRules;
  /** Hash of the content of the document. */
  readonly hash: string;
}

const kind = { group: "config.gatehouse.dev", version: "v1alpha1", kind: "AuthorizationRules" };
const rbacGroup = "rbac.authorization.k8s.io";
const rbacKinds = ["Role", "ClusterRole", "RoleBinding", "ClusterRoleBinding"];

/** Reads the rules and follows their file. Rejects with ConfigurationError when they cannot be used now. */
export function openReloadingAuthorizationRules(
  options: ReloadingDocumentOptions,
): Promise<FollowedFiles<AuthorizationRuleSet>> {
  const reading = { name: "authorization rules", read: readRules, hashOf: ({ hash }: AuthorizationRuleSet) => hash };
  return openReloadingDocument(reading, options);
}

async function readRules(file: string): Promise<AuthorizationRuleSet> {
  const document = await readConfigFile(file);
  // The check does not look into the objects in `rbac`, although the type says more.
  const rules = await checkConfigDocument<AuthorizationRules>(document, [kind]);
  await assertRbacShapes(document);
  const problems = authorizationRulesProblems(rules);
  if (problems.length > 0) {
    throw new ConfigurationError(
      document.subject,
      problems.map(({ path, text }) => problemAt(path, text)),
    );
  }
  return { rules: compileAuthorizationRules(rules), hash: documentHash(document.content) };
}

async function assertRbacShapes({ subject, content }: ConfigDocument): Promise<void> {
  const validators = new Map<unknown, DocumentValidator>();
  for (const name of rbacKinds) {
    validators.set(name, await documentValidator(kindSchema(rbacGroup, "v1", name) as KindSchema));
  }
  const objects = (content["rbac"] ?? []) as readonly JsonObject[];
  const problems = objects.flatMap((object, index) => shapeProblems(object, `rbac[${index}]`, validators));
  if (problems.length > 0) {
    throw new ConfigurationError(subject, problems);
  }
}

function shapeProblems(
  object: JsonObject,
  path: string,
  validators: ReadonlyMap<unknown, DocumentValidator>,
): readonly Problem[] {
  const validate = validators.get(object["kind"]);
  if (validate === undefined || object["apiVersion"] !== `${rbacGroup}/v1`) {
    return [problemAt(`${path}.kind`, `must be one of ${rbacKinds.join(", ")} of ${rbacGroup}/v1`)];
  }
  return validate(object).map(({ path: member, message }) => ({
    path: `${path}.${member}`,
    message: `${path}.${message}`,
  }));
}
