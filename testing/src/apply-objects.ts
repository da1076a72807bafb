import type { HttpClient, JsonResponse } from "@gatehouse/component-base/http-client";
import { isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes/json";
import type { KubernetesObject } from "./manifests.js";
import { type Deadline, until } from "./until.js";

const requestTimeoutMs = 10_000;

/** Sends objects to a control plane as its administrator. */
export class ObjectApplier {
  readonly #client: HttpClient;
  readonly #deadline: Deadline;

  constructor(client: HttpClient, deadline: Deadline) {
    this.#client = client;
    this.#deadline = deadline;
  }

  /** Applies definitions of custom resources and waits until all of them are served. */
  async applyDefinitions(definitions: readonly KubernetesObject[]): Promise<void> {
    for (const definition of definitions) {
      if (definition.kind !== "CustomResourceDefinition") {
        throw new TypeError(
          `${definition.source}: is a ${definition.kind}, not a CustomResourceDefinition; use objects`,
        );
      }
      await this.apply(definition);
    }
    for (const definition of definitions) {
      await this.#untilServed(definition);
    }
  }

  /** Applies objects of any kind: namespaces and definitions first, then the others in their order. */
  async applyAll(objects: readonly KubernetesObject[]): Promise<readonly JsonObject[]> {
    const stored = new Map<KubernetesObject, JsonObject>();
    const definitions = objects.filter(({ kind }) => kind === "CustomResourceDefinition");
    for (const object of [...objects.filter(({ kind }) => kind === "Namespace"), ...definitions]) {
      stored.set(object, await this.apply(object));
    }
    for (const definition of definitions) {
      await this.#untilServed(definition);
    }
    for (const object of objects) {
      if (!stored.has(object)) {
        stored.set(object, await this.apply(object));
      }
    }
    return objects.map((object) => stored.get(object) ?? {});
  }

  /** Applies an object, or creates it when the server is to generate its name. */
  async apply(object: KubernetesObject): Promise<JsonObject> {
    const path = await this.#pathOf(object);
    const send = (): Promise<JsonResponse> =>
      object.name === undefined
        ? this.#request({ method: "POST", path, body: object.content })
        : this.#request({
            method: "PATCH",
            path: `${path}/${encodeURIComponent(object.name)}?fieldManager=gatehouse-testing&force=true`,
            headers: { "content-type": "application/apply-patch+yaml" },
            body: object.content,
          });
    const { status, body } = await until("the service account of pods is there", this.#deadline, async () => {
      const answer = await send();
      return lacksServiceAccount(answer) ? undefined : answer;
    });
    if (status >= 300) {
      throw new Error(
        `${object.source}: ${object.kind} ${object.name ?? ""} was refused: ${status} ${messageOf(body)}`,
      );
    }
    return isJsonObject(body) ? body : {};
  }

  /** Returns the path of the resource that objects of this kind belong to. */
  async #pathOf({ source, apiVersion, kind, namespace }: KubernetesObject): Promise<string> {
    const root = apiVersion === "v1" ? "/api/v1" : `/apis/${apiVersion}`;
    const resource = (await this.#resourcesAt(root)).find(
      (each) => each["kind"] === kind && !String(each["name"]).includes("/"),
    );
    if (resource === undefined) {
      throw new Error(`${source}: the control plane serves no kind ${kind} of ${apiVersion}`);
    }
    return resource["namespaced"] === true
      ? `${root}/namespaces/${encodeURIComponent(namespace ?? "default")}/${resource["name"]}`
      : `${root}/${resource["name"]}`;
  }

  async #untilServed({ source, content }: KubernetesObject): Promise<void> {
    const spec = objectAt(content, "spec");
    const [group, plural] = [String(spec["group"]), objectAt(spec, "names")["plural"]];
    const versions = listAt(spec, "versions").filter((version) => version["served"] === true);
    const path = `/apis/apiextensions.k8s.io/v1/customresourcedefinitions/${plural}.${group}`;
    await until(`${source} is established`, this.#deadline, async () => {
      const { body } = await this.#request({ path });
      const conditions = listAt(objectAt(body, "status"), "conditions");
      const refused = conditions.find(({ type, status }) => type === "NamesAccepted" && status === "False");
      if (refused !== undefined) {
        throw new Error(`${source}: the names of ${plural}.${group} were refused: ${refused["message"]}`);
      }
      return conditions.some(({ type, status }) => type === "Established" && status === "True");
    });
    for (const { name } of versions) {
      await until(`${source} is served`, this.#deadline, async () =>
        (await this.#resourcesAt(`/apis/${group}/${name}`)).some((resource) => resource["name"] === plural),
      );
    }
  }

  async #resourcesAt(root: string): Promise<readonly JsonObject[]> {
    // A group that is not served is answered with a page of text.
    const { signal } = this.#deadline;
    const { status, body } = await this.#client.request({ path: root, signal, timeoutMs: requestTimeoutMs });
    return status === 200 ? listAt(JSON.parse(body.toString()), "resources") : [];
  }

  #request(request: {
    readonly method?: string;
    readonly path: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly body?: JsonValue;
  }): Promise<JsonResponse> {
    return this.#client.requestJson({ ...request, signal: this.#deadline.signal, timeoutMs: requestTimeoutMs });
  }
}

/** A controller makes the `default` service account of a namespace, in its own time. */
export function lacksServiceAccount({ status, body }: JsonResponse): boolean {
  return status === 403 && /service account .* not found|no API token found for service account/.test(messageOf(body));
}

function messageOf(body: unknown): string {
  return isJsonObject(body) ? String(body["message"]) : "";
}

function objectAt(value: unknown, field: string): JsonObject {
  const found = isJsonObject(value) ? value[field] : undefined;
  return isJsonObject(found) ? found : {};
}

function listAt(value: unknown, field: string): readonly JsonObject[] {
  const found = isJsonObject(value) ? value[field] : undefined;
  return Array.isArray(found) ? found.filter(isJsonObject) : [];
}
