// Pods whose images a webhook judges, and what it answers, drawn at random. Compared are the answers to the client, the annotations of the
// audit log, and every call of the webhook. Both servers are those of start-with-identity-webhooks.mjs. COUNT is the number of
// namespaces, REQUESTS that of requests in each, SEED which.
import { drawAnswers } from "../lib/identity-webhooks/answers.mjs";
import { drawnCases, view } from "../lib/identity-webhooks/hooks.mjs";
import { oddTexts } from "../lib/identity-webhooks/odd-texts.mjs";
import { imageStatuses } from "../lib/identity-webhooks/statuses.mjs";

export const parallel = 12;

/** Cases for a runner of differential areas. */
export const cases = (...sides) => drawnCases(sides, { salt: 820_019, count: 200, requests: 5 }, caseOf);

function caseOf(r, { name, key, length }) {
  const path = `/api/v1/namespaces/${key}/pods`;
  const first = { method: "POST", path, body: drawPod(r, "p") };
  let answers = { images: drawAnswers(r, imageStatuses) };
  const steps = Array.from({ length }, (_, nth) => {
    if (nth > 0 && r.chance(0.6)) answers = { images: drawAnswers(r, imageStatuses) };
    return { ...drawRequest(r, path, first), key, answers, view };
  });
  return {
    name: `images ${name}`,
    steps: [
      { method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: key } }, quiet: true },
      // The pod that later requests change.
      { ...first, key, answers: {}, quiet: true },
      { ...first, path: `${path}?dryRun=All`, body: drawPod(r, "q"), key, answers, view },
      ...steps,
      { method: "DELETE", path: `${path}/p?gracePeriodSeconds=0`, quiet: true },
    ],
  };
}

const images = ["a", "a", "b:1", "r.example.com:5000/a/b@sha256:abc", "é", "a<b>&", "x".repeat(300)];

function drawPod(r, name) {
  const containers = (prefix, count) =>
    Array.from({ length: count }, (_, index) => ({
      name: `${prefix}${index}`,
      image: r.chance(0.7) ? "a" : r.chance(0.03) ? r.pick(["", " a"]) : r.pick(images),
    }));
  return {
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, annotations: drawAnnotations(r) },
    spec: {
      containers: containers("c", 1 + r.int(2)),
      ...(r.chance(0.4) && { initContainers: containers("i", 1 + r.int(2)) }),
      ...(r.chance(0.05) && { ephemeralContainers: containers("e", 1) }),
    },
  };
}

const annotationKeys = [
  ...["a.image-policy.k8s.io/b", "x.y.image-policy.k8s.io/Z_1", "b.image-policy.k8s.io/b", "image-policy.k8s.io/none"],
  ...["other", "alpha.image-policy.k8s.io/failed-open", "image-policy.k8s.io.example.com/a", "a.image-policy.k8s.io/c"],
];

function drawAnnotations(r) {
  // Of several keys that are none, v1.29 tells any first.
  if (r.chance(0.05))
    return { [r.pick(["b.image-policy.k8s.io/", ".image-policy.k8s.io/x", "A.image-policy.k8s.io"])]: "1" };
  const keys = Array.from({ length: r.int(4) }, () => r.pick(annotationKeys));
  return Object.fromEntries(keys.map((key) => [key, r.chance(0.5) ? "1" : r.pick(oddTexts)]));
}

function drawRequest(r, path, first) {
  const merge = { "content-type": "application/merge-patch+json" };
  const strategic = { "content-type": "application/strategic-merge-patch+json" };
  const ephemeral = { ephemeralContainers: [{ name: `e${r.int(3)}`, image: r.pick(images) }] };
  const image = { containers: [{ name: "c0", image: r.pick(images) }] };
  const dryRun = r.chance(0.3) ? "?dryRun=All" : "";
  return r.pick([
    () => ({ method: "POST", path: `${path}?dryRun=All`, body: drawPod(r, "q") }),
    () => ({ method: "POST", path: `${path}?dryRun=All`, body: drawPod(r, "q") }),
    () => ({ method: "POST", path, body: first.body }),
    () => ({ method: "PATCH", path: `${path}/p${dryRun}`, headers: strategic, body: { spec: image } }),
    () => ({
      method: "PATCH",
      path: `${path}/p${dryRun}`,
      headers: merge,
      body: { metadata: { annotations: drawAnnotations(r) } },
    }),
    () => ({
      method: "PATCH",
      path: `${path}/p/ephemeralcontainers${dryRun}`,
      headers: strategic,
      body: { spec: ephemeral },
    }),
    () => ({ method: "PATCH", path: `${path}/p/status`, headers: merge, body: { status: { phase: "Failed" } } }),
    () => ({
      method: "PUT",
      path: `${path}/p${dryRun}`,
      body: { ...first.body, spec: { ...first.body.spec, ...image } },
    }),
    () => ({
      method: "PUT",
      path: `${path}/p/ephemeralcontainers${dryRun}`,
      body: { ...first.body, spec: { ...first.body.spec, ...ephemeral } },
    }),
    () => ({ method: "DELETE", path: `${path}/p?dryRun=All` }),
    () => ({
      method: "POST",
      path: `${path}/p/eviction?dryRun=All`,
      body: { kind: "Eviction", apiVersion: "policy/v1", metadata: { name: "p" } },
    }),
  ])();
}
