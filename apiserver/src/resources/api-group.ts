import type { DefaultingFunctions } from "@gatehouse/envelopes/defaults";
import type { ResourceDefinition } from "../registry/resource-definition.js";
import { type HandlersOfKinds, handlersKey, type VerbHandlers } from "../verbs/verb-handler.js";

/** An API group, with all that it serves. */
export interface ApiGroup {
  /** The name of the group, a DNS name: `wardle.example.com`; empty for the core group. */
  readonly name: string;
  /** The versions, best first: the first that is served is the preferred version. */
  readonly versions: readonly string[];
  /** The resources of all versions, in the order in which kinds of one name are found. */
  readonly resources: readonly ApiResource[];
}

/** A resource of an API group, with the handlers that no general mechanism stands for. */
export interface ApiResource extends ResourceDefinition {
  /**
   * The handlers of verbs by subresource: under "" those of a resource that is not stored, elsewhere those of subresources
   * that are `handledBy: "kind"`.
   */
  readonly handlers?: Readonly<Record<string, VerbHandlers>>;
  /** The defaults that are functions of an object, by the names of its schemas. */
  readonly defaulting?: DefaultingFunctions;
}

/** Returns the handlers that the resources of these groups bring with them. */
export function handlersOfGroups(groups: readonly ApiGroup[]): HandlersOfKinds {
  return new Map(
    groups.flatMap(({ resources }) =>
      resources.flatMap((resource) =>
        Object.entries(resource.handlers ?? {}).map(
          ([subresource, handlers]) => [handlersKey(resource, subresource), handlers] as const,
        ),
      ),
    ),
  );
}

/** Returns the defaulting functions that the resources of these groups bring with them. */
export function defaultingOfGroups(groups: readonly ApiGroup[]): DefaultingFunctions {
  return Object.assign({}, ...groups.flatMap(({ resources }) => resources.map(({ defaulting }) => defaulting)));
}
