import type { ObjectFollower } from "@gatehouse/apiserver/authorization";
import type { JsonObject } from "@gatehouse/envelopes/json";
import { type ApiService, isRemote, type RemoteApiService, readApiService, rootPathOf } from "./api-service.js";

/** The APIServices that exist now, by name and by path. */
export class ApiServiceTable implements ObjectFollower {
  readonly #byName = new Map<string, ApiService>();
  readonly #remoteByPath = new Map<string, RemoteApiService>();
  readonly #listeners: ((name: string) => void)[] = [];
  #changes = 0;

  /** The number of changes so far; tells whether something that was derived from the table is still right. */
  get changes(): number {
    return this.#changes;
  }

  /** Calls `listener` with the name of each APIService that comes, changes or goes, and at once with those present. */
  onChange(listener: (name: string) => void): void {
    this.#listeners.push(listener);
    for (const name of this.#byName.keys()) {
      listener(name);
    }
  }

  get(name: string): ApiService | undefined {
    return this.#byName.get(name);
  }

  /** Returns an APIService that another server answers for. */
  remote(name: string): RemoteApiService | undefined {
    const apiService = this.#byName.get(name);
    return apiService !== undefined && isRemote(apiService) ? apiService : undefined;
  }

  /** The APIServices that other servers answer for. */
  allRemote(): Iterable<RemoteApiService> {
    return this.#remoteByPath.values();
  }

  /** Returns the APIService that a path belongs to, if another server answers for it. */
  remoteAt(path: string): RemoteApiService | undefined {
    return this.#remoteByPath.size === 0 ? undefined : this.#remoteByPath.get(rootOf(path));
  }

  present(_namespace: string, name: string, object: JsonObject): void {
    this.#forget(name);
    const apiService = readApiService(object);
    this.#byName.set(name, apiService);
    if (isRemote(apiService)) {
      this.#remoteByPath.set(rootPathOf(apiService), apiService);
    }
    this.#changed(name);
  }

  gone(_namespace: string, name: string): void {
    this.#forget(name);
    this.#changed(name);
  }

  #forget(name: string): void {
    const known = this.#byName.get(name);
    if (known !== undefined) {
      this.#byName.delete(name);
      this.#remoteByPath.delete(rootPathOf(known));
    }
  }

  #changed(name: string): void {
    this.#changes++;
    for (const listener of this.#listeners) {
      listener(name);
    }
  }
}

/** Returns the beginning of a path that names a group version: `/apis/GROUP/VERSION`, or `/api`. */
function rootOf(path: string): string {
  if (path === "/api" || path.startsWith("/api/")) {
    return "/api";
  }
  if (!path.startsWith("/apis/")) {
    return "";
  }
  const afterGroup = path.indexOf("/", "/apis/".length);
  const afterVersion = afterGroup < 0 ? -1 : path.indexOf("/", afterGroup + 1);
  return afterVersion < 0 ? path : path.slice(0, afterVersion);
}
