import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { ClientConfig } from "@gatehouse/component-base/kubeconfig";
import type { JsonObject } from "@gatehouse/envelopes/json";

/** A question to the stand-in: the spec of a TokenReview or a SubjectAccessReview. */
type Spec = Readonly<Record<string, unknown>>;

/**
 * A stand-in of an API server in front: it reviews tokens and accesses as a test says, and serves collections that can be
 * watched. It speaks plain HTTP, and counts what it is asked.
 */
export class StandInFront implements AsyncDisposable {
  /** Returns the status of a TokenReview. */
  reviewToken: (spec: Spec) => JsonObject = () => ({ authenticated: false });
  /** Returns the status of a SubjectAccessReview. */
  reviewAccess: (spec: Spec) => JsonObject = () => ({ allowed: false });
  /** The specs of the reviews that were asked for. */
  readonly tokenReviews: Spec[] = [];
  readonly accessReviews: Spec[] = [];
  /** The HTTP status with which reviews are answered. */
  reviewStatus = 201;
  /** True if every request is refused with 403. */
  refusals = false;
  readonly #server: Server;
  readonly #collections = new Map<string, Map<string, JsonObject>>();
  readonly #watchers = new Map<string, Set<ServerResponse>>();
  #revision = 1;
  #oldest = 0;

  constructor() {
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** Starts to listen. Returns the client configuration that leads there. */
  async start(): Promise<ClientConfig> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const { port } = this.#server.address() as AddressInfo;
    return { server: new URL(`http://127.0.0.1:${port}`), insecureSkipTlsVerify: false };
  }

  /** Makes or changes an object of a collection, given by its path; watchers are told. */
  put(collection: string, kind: string, apiVersion: string, object: JsonObject): void {
    const objects = this.#collections.get(collection) ?? new Map<string, JsonObject>();
    this.#collections.set(collection, objects);
    const { name } = object["metadata"] as { readonly name: string };
    const metadata = { uid: name, ...(object["metadata"] as JsonObject), resourceVersion: String(++this.#revision) };
    const whole = { kind, apiVersion, ...object, metadata };
    const type = objects.has(name) ? "MODIFIED" : "ADDED";
    objects.set(name, whole);
    for (const watcher of this.#watchers.get(collection) ?? []) {
      watcher.write(`${JSON.stringify({ type, object: whole })}\n`);
    }
  }

  /** Ends all watches, as a server does now and then. */
  endWatches(): void {
    for (const watcher of [...this.#watchers.values()].flatMap((all) => [...all])) {
      watcher.end();
    }
    this.#watchers.clear();
  }

  /** Ends all watches with 410, and answers so whoever watches from a version before this one. */
  forgetHistory(): void {
    this.#oldest = ++this.#revision;
    for (const watcher of [...this.#watchers.values()].flatMap((all) => [...all])) {
      watcher.end(gone);
    }
    this.#watchers.clear();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? "/", "http://front");
    if (this.refusals) {
      return sendJson(response, 403, {
        kind: "Status",
        apiVersion: "v1",
        status: "Failure",
        reason: "Forbidden",
        code: 403,
      });
    }
    if (request.method === "POST") {
      return this.#review(pathname, await textOf(request), response);
    }
    const objects = this.#collections.get(pathname);
    if (objects !== undefined && searchParams.get("watch") === "true") {
      const watchers = this.#watchers.get(pathname) ?? new Set();
      this.#watchers.set(pathname, watchers.add(response));
      response.once("close", () => watchers.delete(response));
      response.writeHead(200, { "content-type": "application/json" }).flushHeaders();
      const from = Number(searchParams.get("resourceVersion"));
      if (from < this.#oldest) {
        response.end(gone);
        return;
      }
      for (const object of objects.values()) {
        if (Number((object["metadata"] as JsonObject)["resourceVersion"]) > from) {
          response.write(`${JSON.stringify({ type: "MODIFIED", object })}\n`);
        }
      }
      return;
    }
    if (objects !== undefined) {
      const metadata = { resourceVersion: String(this.#revision) };
      return sendJson(response, 200, { kind: "List", apiVersion: "v1", metadata, items: [...objects.values()] });
    }
    const slash = pathname.lastIndexOf("/");
    const object = this.#collections.get(pathname.slice(0, slash))?.get(pathname.slice(slash + 1));
    const discovered = this.#discovery(pathname);
    return object !== undefined || discovered !== undefined
      ? sendJson(response, 200, object ?? discovered ?? {})
      : sendJson(response, 404, { kind: "Status", apiVersion: "v1", status: "Failure", reason: "NotFound", code: 404 });
  }

  /** Returns the discovery of a group or a group version of which there are collections. */
  #discovery(path: string): JsonObject | undefined {
    const inside = [...this.#collections.keys()].filter((collection) => collection.startsWith(`${path}/`));
    if (inside.length === 0) {
      return undefined;
    }
    const [, , group, version] = path.split("/");
    if (path.startsWith("/apis/") && version === undefined) {
      const versions = [...new Set(inside.map((collection) => collection.split("/")[3]))];
      return { kind: "APIGroup", name: group, versions: versions.map((name) => ({ version: name })) };
    }
    const resources = inside.map((collection) => ({ name: collection.slice(path.length + 1), kind: "Kind" }));
    return { kind: "APIResourceList", resources };
  }

  #review(path: string, body: string, response: ServerResponse): void {
    const review = JSON.parse(body) as { readonly spec: Spec };
    const isToken = path.endsWith("/tokenreviews");
    (isToken ? this.tokenReviews : this.accessReviews).push(review.spec);
    const status = isToken ? this.reviewToken(review.spec) : this.reviewAccess(review.spec);
    sendJson(response, this.reviewStatus, { ...review, status });
  }
}

/** The event of a watch whose version is too old. */
const gone = `${JSON.stringify({ type: "ERROR", object: { kind: "Status", code: 410, reason: "Expired" } })}\n`;

function sendJson(response: ServerResponse, code: number, body: object): void {
  response.writeHead(code, { "content-type": "application/json" }).end(JSON.stringify(body));
}

async function textOf(request: IncomingMessage): Promise<string> {
  let text = "";
  for await (const piece of request) {
    text += String(piece);
  }
  return text;
}
