import { RbacIndex } from "@gatehouse/policies/rbac";
import type { ObjectSource } from "../object-source.js";
import { EarlyRules } from "./early-rules.js";
import { clusterResources, groupResource, namespaceResources, type RbacResource, tellIndex } from "./rbac-resources.js";

/**
 * The roles and bindings of this server. They are read at the first question: not every server decides by them. Those
 * of namespaces may be very many, so a starting server does not wait until it knows them all (decision 0033).
 */
export class RbacRules {
  /** The index of all rules, complete once there are no early rules any more. */
  readonly #index = new RbacIndex();
  readonly #source: ObjectSource;
  readonly #reportFault: (error: unknown) => void;
  readonly #followed = new Map<RbacResource, Promise<void>>();
  #early: EarlyRules | undefined;
  #learning: Promise<unknown> | undefined;

  constructor(source: ObjectSource, reportFault: (error: unknown) => void) {
    this.#source = source;
    this.#reportFault = reportFault;
    this.#early = new EarlyRules(source);
  }

  /** Resolves when `indexFor` can be asked. */
  async open(): Promise<void> {
    await this.#followAll(clusterResources);
  }

  /** Resolves to the index when it knows of everything that is there; it follows all changes from then on. */
  async ready(): Promise<RbacIndex> {
    await this.#followAll([...clusterResources, ...namespaceResources]);
    this.#early = undefined;
    return this.#index;
  }

  /**
   * Begins to follow the objects of all namespaces. A failed reading is reported, and tried again at the next question.
   */
  learn(): void {
    this.#learning ??= this.ready().catch((error: unknown) => {
      this.#learning = undefined;
      this.#reportFault(error);
    });
  }

  /**
   * Returns the index with all cluster-wide rules and those of a namespace. It is valid for one decision, in the turn
   * in which it resolves. Rejects when stored objects cannot be read.
   */
  indexFor(namespace: string): RbacIndex | Promise<RbacIndex> {
    if (this.#early === undefined) {
      return this.#index;
    }
    this.learn();
    return this.#early.indexFor(namespace);
  }

  /** The index that `indexFor` returned last, for explanations of a decision. */
  get latest(): RbacIndex {
    return this.#early?.index ?? this.#index;
  }

  async #followAll(resources: readonly RbacResource[]): Promise<void> {
    await Promise.all(resources.map((resource) => this.#follow(resource)));
  }

  /** Follows a resource, once for all callers. */
  #follow(resource: RbacResource): Promise<void> {
    let following = this.#followed.get(resource);
    if (following === undefined) {
      const whole = tellIndex(this.#index, resource);
      const early = () => this.#early?.followers.get(resource);
      const follower: typeof whole = {
        present(namespace, name, object) {
          whole.present(namespace, name, object);
          early()?.present(namespace, name, object);
        },
        gone(namespace, name) {
          whole.gone(namespace, name);
          early()?.gone(namespace, name);
        },
      };
      following = this.#source.follow(groupResource(resource), follower).catch((error: unknown) => {
        this.#followed.delete(resource);
        throw error;
      });
      this.#followed.set(resource, following);
    }
    return following;
  }
}
