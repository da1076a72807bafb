import { isJsonObject, type JsonObject, textAt } from "@gatehouse/envelopes/json";
import { groupVersionOf } from "@gatehouse/envelopes/schema";
import type { JudgingServer } from "./judging-server.js";

const accept = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

/** A resource that a server serves. */
export interface ServedKind {
  /** Path of the group and version: `/apis/apps/v1`. */
  readonly root: string;
  /** Name of the resource: `deployments`. */
  readonly resource: string;
  readonly isNamespaced: boolean;
}

/** The kinds that a server serves, by apiVersion and kind. */
export class ServedKinds {
  readonly #kinds: ReadonlyMap<string, ServedKind>;

  private constructor(kinds: ReadonlyMap<string, ServedKind>) {
    this.#kinds = kinds;
  }

  /** Asks a server for the kinds that it serves. */
  static async discover(server: JudgingServer): Promise<ServedKinds> {
    const answers = await Promise.all(["/api", "/apis"].map((path) => server.send({ path, accept })));
    const kinds = answers.flatMap(({ body }) => objectsAt(body, "items").flatMap(kindsOfGroup));
    return new ServedKinds(new Map(kinds));
  }

  find(apiVersion: string, kind: string): ServedKind | undefined {
    return this.#kinds.get(`${apiVersion} ${kind}`);
  }

  /** Returns the versions of a group in which a kind is served, as apiVersions, best first. */
  versionsOf(group: string, kind: string): readonly string[] {
    return [...this.#kinds.keys()].flatMap((key) => {
      const [apiVersion = "", name] = key.split(" ");
      return name === kind && groupVersionOf(apiVersion).group === group ? [apiVersion] : [];
    });
  }
}

function kindsOfGroup(group: JsonObject): [string, ServedKind][] {
  const name = textAt(group, "metadata", "name");
  return objectsAt(group, "versions").flatMap((version) => {
    const apiVersion = name === "" ? textAt(version, "version") : `${name}/${textAt(version, "version")}`;
    const root = name === "" ? `/api/${apiVersion}` : `/apis/${apiVersion}`;
    return objectsAt(version, "resources").map((resource): [string, ServedKind] => [
      `${apiVersion} ${textAt(resource, "responseKind", "kind")}`,
      { root, resource: textAt(resource, "resource"), isNamespaced: resource["scope"] === "Namespaced" },
    ]);
  });
}

function objectsAt(object: JsonObject, name: string): readonly JsonObject[] {
  const value = object[name];
  return Array.isArray(value) ? value.filter(isJsonObject) : [];
}
