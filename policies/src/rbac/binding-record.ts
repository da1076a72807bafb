import { goQuote } from "@gatehouse/envelopes/go";
import type { AccessUser } from "../access/requested-access.js";
import type { BindingSpec, PolicyRule, RoleRef, Subject } from "./policy-rule.js";

const serviceAccountPrefix = "system:serviceaccount:";

/** A role, or the placeholder of a missing one that bindings name. */
export class RoleRecord {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  /** The rules of the role; undefined if there is no such role. */
  rules: readonly PolicyRule[] | undefined;
  readonly bindings = new Set<BindingRecord>();

  constructor(kind: string, namespace: string, name: string) {
    this.kind = kind;
    this.namespace = namespace;
    this.name = name;
  }
}

/**
 * Returns the problem of a binding to a role that does not exist. v1.29 names the kind when it decides, and the
 * resource when it checks what is granted.
 */
export function missingRoleText({ kind, name }: RoleRef, of: "kind" | "resource"): string {
  return kind === "Role" || kind === "ClusterRole"
    ? `${kind.toLowerCase()}${of === "kind" ? "" : "s"}.rbac.authorization.k8s.io ${goQuote(name)} not found`
    : `unsupported role reference kind: ${goQuote(kind)}`;
}

/** Returns the problems of several missing roles, each once; empty for none. */
export function missingRolesText(missing: readonly RoleRef[], of: "kind" | "resource"): string {
  const texts = [...new Set(missing.map((role) => missingRoleText(role, of)))];
  return texts.length > 1 ? `[${texts.join(", ")}]` : (texts[0] ?? "");
}

/** A binding and the role that it binds. */
export class BindingRecord {
  readonly namespace: string;
  readonly name: string;
  readonly role: RoleRecord;
  readonly subjects: readonly Subject[];
  /** The reason for access allowed by a binding to one subject, made once. */
  #reason: string | undefined;

  constructor({ namespace, name, subjects }: BindingSpec, role: RoleRecord) {
    this.namespace = namespace;
    this.name = name;
    this.subjects = subjects;
    this.role = role;
  }

  /** Returns v1.29's reason: `RBAC: allowed by ClusterRoleBinding "b" of ClusterRole "r" to User "u"`. */
  allowedReason(user: AccessUser): string {
    if (this.subjects.length !== 1) {
      return `RBAC: allowed by ${this.describe(user)}`;
    }
    this.#reason ??= `RBAC: allowed by ${this.describe(user)}`;
    return this.#reason;
  }

  /** Describes the binding, its role and the subject that matches the user. */
  describe(user: AccessUser): string {
    const subject = this.subjects.find((candidate) => isUser(candidate, this.namespace, user)) ?? this.subjects[0];
    const whole = this.namespace === "" ? this.name : `${this.name}/${this.namespace}`;
    const kind = this.namespace === "" ? "ClusterRoleBinding" : "RoleBinding";
    const to = subject === undefined ? "nobody" : this.#describeSubject(subject);
    return `${kind} ${goQuote(whole)} of ${this.role.kind} ${goQuote(this.role.name)} to ${to}`;
  }

  #describeSubject({ kind, name, namespace }: Subject): string {
    const whole = kind === "ServiceAccount" ? `${name}/${namespace === "" ? this.namespace : namespace}` : name;
    return `${kind} ${goQuote(whole)}`;
  }
}

/** Returns the user name that a subject of a binding stands for; undefined for a group, or if it names no user. */
export function userNameOf({ kind, name, namespace }: Subject, bindingNamespace: string): string | undefined {
  if (kind === "User") {
    return name;
  }
  const home = namespace === "" ? bindingNamespace : namespace;
  return kind === "ServiceAccount" && home !== "" ? `${serviceAccountPrefix}${home}:${name}` : undefined;
}

function isUser(subject: Subject, bindingNamespace: string, { username, groups }: AccessUser): boolean {
  return subject.kind === "Group" ? groups.includes(subject.name) : userNameOf(subject, bindingNamespace) === username;
}
