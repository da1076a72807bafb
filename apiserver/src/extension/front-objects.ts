import { unlessAborted } from "@gatehouse/component-base/time";
import { type JsonObject, textAt } from "@gatehouse/envelopes/json";
import type { StepContext } from "@gatehouse/envelopes/scheduling";
import { type GroupVersionResource, groupVersionOf } from "@gatehouse/envelopes/schema";
import { type GroupResource, groupResourceText } from "@gatehouse/envelopes/status";
import type { ObjectAccess, ObjectName, ObjectReader, ObjectView } from "../admission/object-access.js";
import type { ObjectFollower, ObjectSource } from "../authorization/object-source.js";
import { FollowedObjects } from "./followed-objects.js";
import type { FrontClient } from "./front-client.js";
import { FrontDiscovery, rootOf } from "./front-discovery.js";

/** The API server in front, and the resources that are not to be looked for there. */
export interface FrontObjectsOptions {
  readonly client: FrontClient;
  /** The groups of this server. */
  readonly ownGroups: ReadonlySet<string>;
  /** The access to the objects of this server. */
  readonly own: ObjectAccess;
  readonly ownSource: ObjectSource;
  /** Called with each failure to follow objects; it is tried again. */
  readonly onTrouble: (path: string, error: unknown) => void;
  readonly signal: AbortSignal;
}

/** The time in milliseconds for which somebody waits for objects that are read for the first time. */
const maxWaitMs = 10_000;

/**
 * The objects that admission reads in an extension API server: those of its own groups from its own store, all others from
 * the API server in front, which is followed for each resource that somebody reads. Objects in front are not written.
 */
export class FrontObjects implements ObjectAccess, ObjectSource {
  readonly #options: FrontObjectsOptions;
  readonly #discovery: FrontDiscovery;
  readonly #viewed = new Map<string, FollowedObjects>();
  readonly #read = new Map<string, FollowedObjects>();

  constructor(options: FrontObjectsOptions) {
    this.#options = options;
    this.#discovery = new FrontDiscovery(options.client, options.signal, (error) =>
      options.onTrouble("discovery", error),
    );
  }

  /** Resolves when everything that views show has arrived once, with the kinds to learn. Undefined when it has. */
  synced(): Promise<unknown> | undefined {
    const missing = [...this.#viewed.values()].filter(({ isReady }) => !isReady);
    return missing.length === 0
      ? this.#discovery.learning()
      : Promise.all(missing.map((one) => one.ready())).then(() => this.#discovery.learning());
  }

  /** The names of the resources that views show and that have not arrived yet. */
  get missing(): readonly string[] {
    return [...this.#viewed].filter(([, { isReady }]) => !isReady).map(([name]) => name);
  }

  /** Begins to ask what kinds a group version in front has, so that `findKind` knows them. */
  learn(apiVersion: string): void {
    this.#discovery.learn(apiVersion);
  }

  view<T>(resource: GroupResource, compile: (object: JsonObject) => T): ObjectView<T> {
    return this.#isOwn(resource)
      ? this.#options.own.view(resource, compile)
      : new FrontView(this.#followed(resource), compile);
  }

  reader(resource: GroupVersionResource): ObjectReader {
    if (this.#isOwn(resource)) {
      return this.#options.own.reader(resource);
    }
    const { group, version, resource: plural } = resource;
    const path = `${rootOf(group, version)}/${plural}`;
    let followed = this.#read.get(path);
    if (followed === undefined) {
      followed = this.#follow(path, async () => path);
      this.#read.set(path, followed);
    }
    return new FrontReader(followed, path);
  }

  findKind(apiVersion: string, kind: string): ReturnType<ObjectAccess["findKind"]> {
    const { group } = groupVersionOf(apiVersion);
    return this.#options.ownGroups.has(group)
      ? this.#options.own.findKind(apiVersion, kind)
      : this.#discovery.findKind(apiVersion, kind);
  }

  create(resource: GroupResource, object: JsonObject): Promise<JsonObject> {
    this.#refuseWrite(resource);
    return this.#options.own.create(resource, object);
  }

  update(resource: GroupResource, ...rest: ParametersAfterFirst<ObjectAccess["update"]>): Promise<void> {
    this.#refuseWrite(resource);
    return this.#options.own.update(resource, ...rest);
  }

  async follow(resource: GroupResource, follower: ObjectFollower): Promise<void> {
    if (this.#isOwn(resource)) {
      return this.#options.ownSource.follow(resource, follower);
    }
    this.tell(resource, follower);
  }

  /** Tells a follower of the objects of a resource in front that are known, and of every change from then on. */
  tell(resource: GroupResource, follower: ObjectFollower): void {
    this.#followed(resource).tell(follower);
  }

  read(resource: GroupResource, namespace: string): ReturnType<ObjectSource["read"]> {
    this.#refuseWrite(resource);
    return this.#options.ownSource.read(resource, namespace);
  }

  #isOwn({ group }: GroupResource): boolean {
    return this.#options.ownGroups.has(group);
  }

  #refuseWrite(resource: GroupResource): void {
    if (!this.#isOwn(resource)) {
      throw new Error(`${groupResourceText(resource)} belongs to the API server in front, and can only be followed`);
    }
  }

  #followed(resource: GroupResource): FollowedObjects {
    const name = groupResourceText(resource);
    let followed = this.#viewed.get(name);
    if (followed === undefined) {
      followed = this.#follow(name, async () => {
        const { group, version, resource: plural } = await this.#discovery.find(resource);
        return `${rootOf(group, version)}/${plural}`;
      });
      this.#viewed.set(name, followed);
    }
    return followed;
  }

  #follow(name: string, path: () => Promise<string>): FollowedObjects {
    const { client, signal, onTrouble } = this.#options;
    return new FollowedObjects({ client, path, signal, onTrouble: (error) => onTrouble(name, error) });
  }
}

type ParametersAfterFirst<F> = F extends (first: never, ...rest: infer R) => unknown ? R : never;

class FrontView<T> implements ObjectView<T> {
  readonly #followed: FollowedObjects;
  readonly #compile: (object: JsonObject) => T;
  readonly #compiled = new WeakMap<JsonObject, { readonly value: T }>();
  #all: { readonly of: readonly JsonObject[]; readonly values: readonly T[] } | undefined;

  constructor(followed: FollowedObjects, compile: (object: JsonObject) => T) {
    this.#followed = followed;
    this.#compile = compile;
  }

  get(namespace: string, name: string): T | undefined {
    const object = this.#followed.get(namespace, name);
    return object === undefined ? undefined : this.#valueOf(object);
  }

  list(namespace: string): readonly T[] {
    const of = this.#followed.list();
    if (namespace !== "") {
      return within(of, namespace).map((object) => this.#valueOf(object));
    }
    if (this.#all?.of !== of) {
      this.#all = { of, values: of.map((object) => this.#valueOf(object)) };
    }
    return this.#all.values;
  }

  *each(namespace: string): Iterable<() => T> {
    for (const object of within(this.#followed.list(), namespace)) {
      yield () => this.#compile(object);
    }
  }

  async catchUp(signal: AbortSignal, only?: ObjectName): Promise<void> {
    if (only === undefined) {
      throw new Error("objects of the API server in front are read anew one by one");
    }
    await this.#followed.catchUp(only, signal);
  }

  #valueOf(object: JsonObject): T {
    let known = this.#compiled.get(object);
    if (known === undefined) {
      known = { value: this.#compile(object) };
      this.#compiled.set(object, known);
    }
    return known.value;
  }
}

class FrontReader implements ObjectReader {
  readonly #followed: FollowedObjects;
  readonly #path: string;

  constructor(followed: FollowedObjects, path: string) {
    this.#followed = followed;
    this.#path = path;
  }

  get(namespace: string, name: string, context: StepContext): ReturnType<ObjectReader["get"]> {
    return this.#whenReady(context, () => this.#followed.get(namespace, name));
  }

  list(namespace: string, context: StepContext): ReturnType<ObjectReader["list"]> {
    return this.#whenReady(context, () => within(this.#followed.list(), namespace));
  }

  #whenReady<R>({ signal }: StepContext, read: () => R): R | Promise<R> {
    if (this.#followed.isReady) {
      return read();
    }
    return arrivesInTime(this.#followed.ready(), signal).then((isReady) => {
      if (!isReady) {
        throw new Error(`the objects of ${this.#path} have not arrived from the API server in front`);
      }
      return read();
    });
  }
}

/** Resolves to true when `ready` does, and to false after ten seconds or when the signal aborts. */
export function arrivesInTime(ready: Promise<unknown>, signal: AbortSignal): Promise<boolean> {
  const either = AbortSignal.any([signal, AbortSignal.timeout(maxWaitMs)]);
  return unlessAborted(ready, either).then(
    () => true,
    () => false,
  );
}

function within(objects: readonly JsonObject[], namespace: string): readonly JsonObject[] {
  return namespace === "" ? objects : objects.filter((object) => textAt(object, "metadata", "namespace") === namespace);
}
