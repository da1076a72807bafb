import type { JsonObject } from "@gatehouse/envelopes/json";
import type { GroupResource } from "@gatehouse/envelopes/status";

/** A source of the objects that authorizers decide by: it reports all present ones, and then every change. */
export interface ObjectSource {
  /**
   * Resolves when all objects have been told. Nothing is told of a resource that is not served. The follower is called
   * in the turn in which a change becomes known, and must be quick.
   */
  follow(resource: GroupResource, follower: ObjectFollower): Promise<void>;
  /** Reads the objects of one namespace as they are stored now, without waiting for all the others to be known. */
  read(resource: GroupResource, namespace: string): Promise<readonly NamedObject[]>;
}

/** An object, under the name by which it is stored. */
export interface NamedObject {
  readonly name: string;
  readonly object: JsonObject;
}

/** A follower of objects, called for one change at a time. An exception leaves out that object, and is reported. */
export interface ObjectFollower {
  /** Called with an object as it is now. The namespace is empty for cluster-scoped objects. */
  present(namespace: string, name: string, object: JsonObject): void;
  gone(namespace: string, name: string): void;
}
