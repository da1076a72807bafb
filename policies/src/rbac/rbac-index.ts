import type { AccessUser, RequestedAccess } from "../access/requested-access.js";
import { BindingRecord, missingRolesText, RoleRecord, userNameOf } from "./binding-record.js";
import { KnownUsers } from "./known-users.js";
import type { BindingSpec, PolicyRule, RoleRef } from "./policy-rule.js";
import { QuestionTable } from "./question-table.js";
import { type Grant, ScopeGrants } from "./scope-grants.js";

/** The verdict of RBAC. RBAC denies nothing: an access that it does not allow is left to other authorizers. */
export type RbacVerdict =
  | { readonly allowed: true; readonly reason: string; readonly grant: Grant }
  /** A missing permission. `reason` is empty unless bindings of the user are to roles that do not exist. */
  | { readonly allowed: false; readonly reason: string };

/** The rules of a user, and the missing roles of the user's bindings. */
export interface HeldRules {
  readonly rules: readonly PolicyRule[];
  readonly missing: readonly RoleRef[];
}

/**
 * An index of roles and bindings by subject: the cost of a verdict does not depend on the bindings of others. Its owner
 * follows the objects, in any order, and keeps it up to date.
 */
export class RbacIndex {
  readonly #roles = new Map<string, RoleRecord>();
  readonly #bindings = new Map<string, BindingRecord>();
  readonly #users: Subjects = new Map();
  readonly #groups: Subjects = new Map();
  readonly #questions = new QuestionTable();
  readonly #known = new KnownUsers((user, namespace) => this.#grantsFor(user, namespace));

  /** Adds or replaces a Role, or a ClusterRole if the namespace is empty. */
  setRole(namespace: string, name: string, rules: readonly PolicyRule[] | undefined): void {
    const role = this.#role(namespace === "" ? "ClusterRole" : "Role", namespace, name);
    role.rules = rules;
    for (const binding of role.bindings) {
      for (const grants of this.#scopesOf(binding)) {
        grants.forget();
      }
    }
    this.#dropUnused(role);
  }

  /** Removes a Role or ClusterRole. */
  deleteRole(namespace: string, name: string): void {
    this.setRole(namespace, name, undefined);
  }

  /** Adds or replaces a RoleBinding, or a ClusterRoleBinding if the namespace is empty. */
  setBinding(spec: BindingSpec): void {
    this.deleteBinding(spec.namespace, spec.name);
    const { kind, name } = spec.roleRef;
    const binding = new BindingRecord(spec, this.#role(kind, kind === "ClusterRole" ? "" : spec.namespace, name));
    this.#bindings.set(keyOf(spec.namespace, spec.name), binding);
    binding.role.bindings.add(binding);
    for (const [subjects, name] of this.#subjectsOf(binding)) {
      this.#grantsAt(subjects, name, spec.namespace).add(binding);
    }
  }

  /** Removes a RoleBinding or ClusterRoleBinding. */
  deleteBinding(namespace: string, name: string): void {
    const key = keyOf(namespace, name);
    const binding = this.#bindings.get(key);
    if (binding === undefined) {
      return;
    }
    this.#bindings.delete(key);
    binding.role.bindings.delete(binding);
    this.#dropUnused(binding.role);
    for (const [subjects, name] of this.#subjectsOf(binding)) {
      const scopes = subjects.get(name);
      const grants = scopes?.get(namespace);
      grants?.delete(binding);
      if (grants?.isEmpty === true && scopes?.delete(namespace)) {
        this.#known.forget();
        if (scopes.size === 0) {
          subjects.delete(name);
        }
      }
    }
  }

  /** Decides whether a user may access something, and by which grant. */
  decide(user: AccessUser, access: RequestedAccess): RbacVerdict {
    const question = this.#questions.of(access);
    let grant: Grant | undefined;
    for (const grants of this.#known.of(user, access.namespace)) {
      grant = grants.find(question, access);
      if (grant !== undefined) {
        break;
      }
    }
    if (grant !== undefined) {
      return { allowed: true, reason: grant.binding.allowedReason(user), grant };
    }
    const missing = this.#missing(user, access.namespace);
    return missing.length === 0 ? denied : { allowed: false, reason: `RBAC: ${missingRolesText(missing, "kind")}` };
  }

  /** Returns the rules of a user in a namespace, and those for the cluster; only these if the namespace is empty. */
  rulesFor(user: AccessUser, namespace: string): HeldRules {
    const roles = new Set(Array.from(this.bindingsFor(user, namespace), ({ role }) => role));
    return { rules: [...roles].flatMap(({ rules = [] }) => rules), missing: this.#missing(user, namespace) };
  }

  /** Returns the rules that a binding in a namespace would give; undefined when there is no such role. */
  rulesOfRole({ kind, name }: RoleRef, bindingNamespace: string): readonly PolicyRule[] | undefined {
    return this.#roles.get(roleKeyOf(kind, kind === "ClusterRole" ? "" : bindingNamespace, name))?.rules;
  }

  /** Returns the bindings of a user in a namespace, each once: those for the cluster come first. */
  bindingsFor(user: AccessUser, namespace: string): ReadonlySet<BindingRecord> {
    const bindings = new Set<BindingRecord>();
    for (const grants of this.#known.of(user, namespace)) {
      for (const binding of grants.bindings) {
        bindings.add(binding);
      }
    }
    return bindings;
  }

  /** Returns the namespaces in which a user has bindings; those for the cluster are not included. */
  namespacesOf({ username, groups }: AccessUser): ReadonlySet<string> {
    const scopes = [this.#users.get(username), ...groups.map((group) => this.#groups.get(group))];
    return new Set(scopes.flatMap((scope) => [...(scope?.keys() ?? [])]).filter((namespace) => namespace !== ""));
  }

  #missing(user: AccessUser, namespace: string): readonly RoleRef[] {
    const missing: RoleRef[] = [];
    for (const grants of this.#known.of(user, namespace)) {
      missing.push(...grants.missing());
    }
    return missing;
  }

  #grantsFor(user: AccessUser, namespace: string): readonly ScopeGrants[] {
    const { username, groups } = user;
    const found: ScopeGrants[] = [];
    // Not by maps of lists: a review brings a user whom nobody has seen before, so this runs for each.
    for (const scope of namespace === "" ? [""] : ["", namespace]) {
      addGrants(found, this.#users.get(username), scope);
      for (const group of groups) {
        addGrants(found, this.#groups.get(group), scope);
      }
    }
    return found;
  }

  #grantsAt(subjects: Subjects, name: string, namespace: string): ScopeGrants {
    let scopes = subjects.get(name);
    if (scopes === undefined) {
      scopes = new Map();
      subjects.set(name, scopes);
    }
    let grants = scopes.get(namespace);
    if (grants === undefined) {
      grants = new ScopeGrants();
      scopes.set(namespace, grants);
      this.#known.forget();
    }
    return grants;
  }

  #role(kind: string, namespace: string, name: string): RoleRecord {
    const key = roleKeyOf(kind, namespace, name);
    let role = this.#roles.get(key);
    if (role === undefined) {
      role = new RoleRecord(kind, namespace, name);
      this.#roles.set(key, role);
    }
    return role;
  }

  #dropUnused(role: RoleRecord): void {
    if (role.rules === undefined && role.bindings.size === 0) {
      this.#roles.delete(roleKeyOf(role.kind, role.namespace, role.name));
    }
  }

  *#scopesOf(binding: BindingRecord): Generator<ScopeGrants> {
    for (const [subjects, name] of this.#subjectsOf(binding)) {
      const grants = subjects.get(name)?.get(binding.namespace);
      if (grants !== undefined) {
        yield grants;
      }
    }
  }

  *#subjectsOf({ subjects, namespace }: BindingRecord): Generator<readonly [Subjects, string]> {
    for (const subject of subjects) {
      const user = userNameOf(subject, namespace);
      if (user !== undefined) {
        yield [this.#users, user];
      } else if (subject.kind === "Group") {
        yield [this.#groups, subject.name];
      }
    }
  }
}

/** Grants by name of the subject, then by namespace: that of the cluster is empty. */
type Subjects = Map<string, Map<string, ScopeGrants>>;

const denied: RbacVerdict = Object.freeze({ allowed: false, reason: "" });

function addGrants(found: ScopeGrants[], scopes: Map<string, ScopeGrants> | undefined, scope: string): void {
  const grants = scopes?.get(scope);
  if (grants !== undefined) {
    found.push(grants);
  }
}

function keyOf(namespace: string, name: string): string {
  return `${namespace}/${name}`;
}

function roleKeyOf(kind: string, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`;
}
