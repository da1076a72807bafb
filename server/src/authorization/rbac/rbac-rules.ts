import type { GroupResource } from "@gatehouse/envelopes";
import { bindingSpecOf, policyRulesOf, RbacIndex } from "@gatehouse/policies";
import type { ObjectFollower, ObjectSource } from "../object-source.js";

/** The roles and bindings of this server. They are read when somebody first asks: not every server decides by them. */
export class RbacRules {
  readonly index = new RbacIndex();
  readonly #source: ObjectSource;
  #following: Promise<unknown> | undefined;

  constructor(source: ObjectSource) {
    this.#source = source;
  }

  /** Resolves to the index when it knows of everything that is there; it follows all changes from then on. */
  async ready(): Promise<RbacIndex> {
    this.#following ??= this.#follow().catch((error: unknown) => {
      this.#following = undefined;
      throw error;
    });
    await this.#following;
    return this.index;
  }

  #follow(): Promise<unknown> {
    const { index } = this;
    const roles: ObjectFollower = {
      present: (namespace, name, role) => index.setRole(namespace, name, policyRulesOf(role)),
      gone: (namespace, name) => index.deleteRole(namespace, name),
    };
    const bindings: ObjectFollower = {
      present: (namespace, name, binding) => index.setBinding(bindingSpecOf(binding, namespace, name)),
      gone: (namespace, name) => index.deleteBinding(namespace, name),
    };
    return Promise.all([
      this.#source.follow(resource("clusterroles"), roles),
      this.#source.follow(resource("roles"), roles),
      this.#source.follow(resource("clusterrolebindings"), bindings),
      this.#source.follow(resource("rolebindings"), bindings),
    ]);
  }
}

function resource(name: string): GroupResource {
  return { group: "rbac.authorization.k8s.io", resource: name };
}
