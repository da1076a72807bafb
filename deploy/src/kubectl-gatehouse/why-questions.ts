import { CommandError } from "@gatehouse/component-base/errors";
import type { HttpCaller } from "@gatehouse/component-base/http-client";
import { isJsonObject, type JsonObject } from "@gatehouse/envelopes/json";
import type { AccessUser, RequestedAccess } from "@gatehouse/policies/access";
import { bindingSpecOf, policyRulesOf, RbacIndex } from "@gatehouse/policies/rbac";

const timeoutMs = 30_000;
const rbac = "/apis/rbac.authorization.k8s.io/v1";
const pageSize = 500;

/** Decision of the server on an access. */
export interface AccessVerdict {
  readonly isAllowed: boolean;
  readonly reason: string;
}

/** Returns the user who asks, as the server knows them. */
export async function whoAmI(client: HttpCaller): Promise<AccessUser> {
  const path = "/apis/authentication.k8s.io/v1/selfsubjectreviews";
  const { status } = await post(client, path, { apiVersion: "authentication.k8s.io/v1", kind: "SelfSubjectReview" });
  const info = isJsonObject(status) && isJsonObject(status["userInfo"]) ? status["userInfo"] : {};
  const { username, groups } = info;
  return { username: String(username ?? ""), groups: Array.isArray(groups) ? groups.map(String) : [] };
}

/** The verdict of all authorizers of the server; about who asks when no user is given. */
export async function askForAccess(
  client: HttpCaller,
  access: RequestedAccess,
  user: AccessUser | undefined,
): Promise<AccessVerdict> {
  const { isResourceRequest, verb, path, ...resourceAttributes } = access;
  const attributes = isResourceRequest
    ? { resourceAttributes: { verb, ...resourceAttributes } }
    : { nonResourceAttributes: { verb, path } };
  const kind = user === undefined ? "SelfSubjectAccessReview" : "SubjectAccessReview";
  const spec = user === undefined ? attributes : { ...attributes, user: user.username, groups: [...user.groups] };
  const { status } = await post(client, `/apis/authorization.k8s.io/v1/${kind.toLowerCase()}s`, {
    apiVersion: "authorization.k8s.io/v1",
    kind,
    spec,
  });
  const { allowed, reason, evaluationError } = isJsonObject(status) ? status : {};
  const said = [reason, evaluationError].filter((text) => typeof text === "string" && text !== "");
  return { isAllowed: allowed === true, reason: said.join("; ") };
}

/** The roles and bindings that count in a namespace, or for the cluster; undefined when who asks may not list them. */
export async function readRules(client: HttpCaller, namespace: string): Promise<RbacIndex | undefined> {
  const index = new RbacIndex();
  const scopes = namespace === "" ? [] : [`/namespaces/${encodeURIComponent(namespace)}`];
  const lists = await Promise.all([
    readAll(client, "/clusterroles", (name, role) => index.setRole("", name, policyRulesOf(role))),
    readAll(client, "/clusterrolebindings", (name, binding) => index.setBinding(bindingSpecOf(binding, "", name))),
    ...scopes.flatMap((scope) => [
      readAll(client, `${scope}/roles`, (name, role) => index.setRole(namespace, name, policyRulesOf(role))),
      readAll(client, `${scope}/rolebindings`, (name, one) => index.setBinding(bindingSpecOf(one, namespace, name))),
    ]),
  ]);
  return lists.every((isRead) => isRead) ? index : undefined;
}

/** Reads all objects at a path; returns false when the user who asks may not. */
async function readAll(
  client: HttpCaller,
  path: string,
  take: (name: string, object: JsonObject) => void,
): Promise<boolean> {
  for (let token = ""; ; ) {
    const query = `?limit=${pageSize}&continue=${encodeURIComponent(token)}`;
    const signal = AbortSignal.timeout(timeoutMs);
    const { status, body } = await client.requestJson({ path: `${rbac}${path}${query}`, signal, timeoutMs });
    if (status === 403) {
      return false;
    }
    const list = isJsonObject(body) ? body : {};
    if (status !== 200) {
      throw new CommandError(`${rbac}${path}: ${String(list["message"] ?? status)}`);
    }
    for (const object of Array.isArray(list["items"]) ? list["items"] : []) {
      if (isJsonObject(object) && isJsonObject(object["metadata"])) {
        take(String(object["metadata"]["name"]), object);
      }
    }
    const next = isJsonObject(list["metadata"]) ? list["metadata"]["continue"] : undefined;
    if (typeof next !== "string" || next === "") {
      return true;
    }
    token = next;
  }
}

async function post(client: HttpCaller, path: string, body: JsonObject): Promise<JsonObject> {
  const signal = AbortSignal.timeout(timeoutMs);
  const answer = await client.requestJson({ method: "POST", path, body, signal, timeoutMs });
  const review = isJsonObject(answer.body) ? answer.body : {};
  if (answer.status !== 201) {
    throw new CommandError(String(review["message"] ?? `the API server answers ${answer.status}`));
  }
  return review;
}
