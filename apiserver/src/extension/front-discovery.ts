import { booleanAt, type JsonObject, listAt, textAt } from "@gatehouse/envelopes/json";
import { groupVersionOf } from "@gatehouse/envelopes/schema";
import { type GroupResource, groupResourceText, StatusError } from "@gatehouse/envelopes/status";
import type { KnownResource } from "../admission/object-access.js";
import type { FrontClient } from "./front-client.js";

/** The resources of one group version, and when they were asked for. */
interface Known {
  readonly resources: readonly (KnownResource & { readonly kind: string })[];
  readonly askedAtMs: number;
}

/** The time in milliseconds after which resources are asked for anew, as in v1.29. */
const lifetimeMs = 30_000;

/** The discovery of the API server in front, read as far as somebody asks for it. */
export class FrontDiscovery {
  readonly #client: FrontClient;
  readonly #signal: AbortSignal;
  readonly #onTrouble: (error: unknown) => void;
  readonly #known = new Map<string, Known>();
  readonly #asking = new Map<string, Promise<void>>();

  constructor(client: FrontClient, signal: AbortSignal, onTrouble: (error: unknown) => void) {
    this.#client = client;
    this.#signal = signal;
    this.#onTrouble = onTrouble;
  }

  /** Resolves to a resource in the version that the server prefers. Rejects with a StatusError when it is not served. */
  async find({ group, resource }: GroupResource): Promise<KnownResource> {
    for (const version of await this.#versionsOf(group)) {
      const resources = await this.#read(group, version);
      const found = resources.find((one) => one.resource === resource);
      if (found !== undefined) {
        return found;
      }
    }
    throw new StatusError(404, "NotFound", `${groupResourceText({ group, resource })} is not served in front`);
  }

  /**
   * Finds the resource of a kind; undefined when it is not known to be served. Whatever is missing or old is asked for in
   * the background.
   */
  findKind(apiVersion: string, kind: string): KnownResource | undefined {
    const known = this.#known.get(apiVersion);
    const found = known?.resources.find((one) => one.kind === kind);
    if (known === undefined || found === undefined || performance.now() - known.askedAtMs > lifetimeMs) {
      this.learn(apiVersion);
    }
    return found;
  }

  /** Asks for the resources of a group version, unless that is under way. */
  learn(apiVersion: string): void {
    const { group, version } = groupVersionOf(apiVersion);
    if (this.#asking.has(apiVersion)) {
      return;
    }
    const asking = this.#read(group, version)
      .then((resources) => {
        this.#known.set(apiVersion, { resources, askedAtMs: performance.now() });
      })
      .catch(this.#onTrouble)
      .finally(() => this.#asking.delete(apiVersion));
    this.#asking.set(apiVersion, asking);
  }

  /** Resolves when the group versions are known that are being asked for the first time. Undefined when there are none. */
  learning(): Promise<unknown> | undefined {
    const first = [...this.#asking].filter(([apiVersion]) => !this.#known.has(apiVersion));
    return first.length === 0 ? undefined : Promise.all(first.map(([, asking]) => asking));
  }

  async #versionsOf(group: string): Promise<readonly string[]> {
    if (group === "") {
      return ["v1"];
    }
    const document = await this.#client.get(`/apis/${group}`, this.#signal);
    const preferred = textAt(document, "preferredVersion", "version");
    const others = listAt(document, "versions").map((entry) => textAt(entry, "version"));
    return [...new Set([preferred, ...others])].filter((version) => version !== "");
  }

  async #read(group: string, version: string): Promise<Known["resources"]> {
    const document = await this.#client.get(rootOf(group, version), this.#signal);
    return listAt(document, "resources")
      .filter((entry): entry is JsonObject => !textAt(entry, "name").includes("/"))
      .map((entry) => ({
        group,
        version,
        resource: textAt(entry, "name"),
        kind: textAt(entry, "kind"),
        namespaced: booleanAt(entry, "namespaced"),
      }));
  }
}

/** Returns the path of a group version. */
export function rootOf(group: string, version: string): string {
  return group === "" ? `/api/${version}` : `/apis/${group}/${version}`;
}
