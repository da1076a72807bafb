// Requests about which a webhook decides, and what it answers, drawn at random. Compared are the answers to the client, the reasons in
// the audit log, and every call of the webhook. Both servers are those of start-with-identity-webhooks.mjs. COUNT is the number of
// users, REQUESTS that of requests of each, SEED which.
import { drawAnswers } from "../lib/identity-webhooks/answers.mjs";
import { drawnCases, view } from "../lib/identity-webhooks/hooks.mjs";
import { accessStatuses } from "../lib/identity-webhooks/statuses.mjs";

export const parallel = 16;

/** Cases for a runner of differential areas. */
export const cases = (...sides) => drawnCases(sides, { salt: 810_013, count: 300, requests: 3 }, caseOf);

function caseOf(r, { name, key, length }) {
  const headers = drawUser(r, key);
  let answers = drawn(r);
  const steps = Array.from({ length }, (_, nth) => {
    if (nth > 0 && r.chance(0.5)) answers = drawn(r);
    const request = r.chance(0.6) ? drawRequest(r, key) : drawReview(r, key);
    return { ...request, headers: request.isByAdmin ? {} : { ...headers, ...request.headers }, key, answers, view };
  });
  return { name: `access ${name}`, independent: true, steps };
}

/** Draws what the webhook says; reviews of the user's own access are seldom refused themselves. */
function drawn(r) {
  const answer = drawAnswers(r, accessStatuses);
  const isOpen = r.chance(0.9);
  const isReview = ({ spec }) => /^selfsubject/.test(spec.resourceAttributes?.resource);
  const allowed = ({ apiVersion, kind }) => ({ body: JSON.stringify({ apiVersion, kind, status: { allowed: true } }) });
  return { access: (review, nth) => (isOpen && isReview(review) ? allowed(review) : answer(review, nth)) };
}

function drawUser(r, key) {
  return {
    "impersonate-user": r.pick([`u-${key}`, `u ${key}`, `system:serviceaccount:${key}:a`, `${key}<">`]),
    ...(r.chance(0.2) && { "impersonate-uid": r.pick(["7", "a b"]) }),
    ...(r.chance(0.4) && { "impersonate-group": r.pick([["dev"], ["b", "a", "b"], ["a b"]]) }),
    ...(r.chance(0.3) && { "impersonate-extra-b%2fC": ["2", "1"], "impersonate-extra-A": "x" }),
  };
}

function drawRequest(r, key) {
  const method = r.pick(["GET", "GET", "GET", "POST", "PUT", "PATCH", "DELETE", "HEAD", "OPTIONS"]);
  const body = ["POST", "PUT", "PATCH"].includes(method) ? {} : undefined;
  const headers = method === "PATCH" ? { "content-type": "application/merge-patch+json" } : {};
  return { method, path: drawPath(r, key), body, headers };
}

function drawPath(r, key) {
  const group = r.pick([
    "/api/v1",
    "/api/v1",
    "/apis/apps/v1",
    "/apis/rbac.authorization.k8s.io/v1",
    "/apis/none.example.com/v7",
  ]);
  const resource = r.pick(["pods", "configmaps", "deployments", "roles", "none", "nodes"]);
  const name = r.pick([
    "",
    "",
    `/n-${key}`,
    `/n-${key}`,
    `/n-${key}/log`,
    `/n-${key}/status`,
    `/n-${key}/exec/more`,
    "/%20",
    "/a%2Fb",
  ]);
  const query = r.pick([
    "",
    "",
    "",
    "?watch=true&timeoutSeconds=1",
    "?fieldSelector=metadata.name%3Dx",
    "?limit=2",
    "?dryRun=All",
  ]);
  return r.pick([
    `${group}/namespaces/${key}/${resource}${name}${query}`,
    `${group}/namespaces/${key}/${resource}${name}${query}`,
    `${group}/namespaces/${key}/${resource}${name}${query}`,
    `${group}/${resource}${name}`,
    `${group}/namespaces/${key}${r.pick(["", "/status", "/finalize"])}`,
    r.pick(["/healthz", "/api", "/apis/", "/odd/path//x", "/odd%2Fpath", "/openapi/v2/", "/apis/apps"]),
  ]);
}

const reviewPath = (resource) => `/apis/authorization.k8s.io/v1/${resource}`;

function drawReview(r, key) {
  const review = (kind, spec, namespace) => ({
    kind,
    apiVersion: "authorization.k8s.io/v1",
    metadata: { namespace },
    spec,
  });
  const attributes = drawAttributes(r, key);
  const roll = r.int(10);
  if (roll < 4)
    return {
      method: "POST",
      path: reviewPath("selfsubjectaccessreviews"),
      body: review("SelfSubjectAccessReview", attributes),
    };
  if (roll < 5)
    return {
      method: "POST",
      path: reviewPath("selfsubjectrulesreviews"),
      body: review("SelfSubjectRulesReview", { namespace: r.pick([key, "", "default"]) }),
    };
  const subject = {
    ...(r.chance(0.9) && { user: r.pick([`u-${key}`, "ann", ""]) }),
    ...(r.chance(0.5) && { groups: r.pick([["dev"], [], ["b", "a", ""], null, ["system:masters"]]) }),
    ...(r.chance(0.3) && {
      extra: r.pick([{ A: ["1"], b: [] }, { "": [""] }, {}, { "a/b": ["é", "<"] }]),
    }),
    ...(r.chance(0.3) && { uid: r.pick(["7", "", key]) }),
  };
  const spec = { ...attributes, ...subject };
  if (roll < 8)
    return {
      method: "POST",
      path: reviewPath("subjectaccessreviews"),
      body: review("SubjectAccessReview", spec),
      isByAdmin: true,
    };
  const path = `/apis/authorization.k8s.io/v1/namespaces/${key}/localsubjectaccessreviews`;
  if (spec.resourceAttributes !== undefined && r.chance(0.9)) spec.resourceAttributes.namespace = key;
  return { method: "POST", path, body: review("LocalSubjectAccessReview", spec, key), isByAdmin: true };
}

function drawAttributes(r, key) {
  if (r.chance(0.3)) {
    return {
      nonResourceAttributes: { path: r.pick([`/${key}`, `/${key}/*`, "*", ""]), verb: r.pick(["get", "", "*"]) },
    };
  }
  const maybe = (name, values) => (r.chance(0.6) ? { [name]: r.pick(values) } : {});
  return {
    resourceAttributes: {
      ...maybe("namespace", [key, "default", ""]),
      ...maybe("verb", ["get", "list", "*", "", "odd verb"]),
      ...maybe("group", ["apps", "*", "", "é"]),
      ...maybe("version", ["v1", "*", ""]),
      ...maybe("resource", ["pods", "*", "", "a/b", "<"]),
      ...maybe("subresource", ["log", "*", ""]),
      name: key,
    },
  };
}
