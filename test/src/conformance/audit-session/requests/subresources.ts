import { create, get, mediaHeaders, post, type Step, send } from "../step.js";

const { merge, jsonPatch, apply, yaml, table } = mediaHeaders;
const spec = { containers: [{ name: "c", image: "registry.example.com/c:1" }] };

/** Requests on parts of objects, and through them. */
export function subresources(tag: string): readonly Step[] {
  return [...ofPods(tag), ...scales(tag), ...tokens(tag), ...approvals(tag), ...finalizers(tag)];
}

function ofPods(tag: string): readonly Step[] {
  const pods = `/api/v1/namespaces/${tag}/pods`;
  const pod = `${pods}/${tag}-rare`;
  return [
    create(pods, { kind: "Pod", apiVersion: "v1", metadata: { name: `${tag}-pod` }, spec }),
    post(`${pods}/${tag}-pod/binding`, `{"metadata":{"name":"${tag}-pod"},"target":{"kind":"Node","name":"n"}}`),
    post(`${pods}/${tag}-pod/eviction`, `{"metadata":{"name":"${tag}-pod"}}`),
    create(pods, { metadata: { name: `${tag}-rare` }, spec }),
    send("PATCH", `${pod}/ephemeralcontainers`, '{"spec":{"ephemeralContainers":[{"name":"d","image":"d:1"}]}}', merge),
    get(`${pod}/ephemeralcontainers`),
    send("PUT", `${pod}/status`, `{"metadata":{"name":"${tag}-rare"},"status":{"phase":"Running"}}`),
    send("PATCH", `${pod}/status?fieldManager=k`, `kind: Pod\napiVersion: v1\nmetadata: {name: ${tag}-rare}\n`, apply),
    post(`${pod}/eviction`, '{"kind":"Eviction","apiVersion":"policy/v1","metadata":{"name":"other"}}'),
    post(`${pods}/none/eviction`, '{"kind":"Eviction","apiVersion":"policy/v1","metadata":{"name":"none"}}'),
    post(`${pods}/none/eviction`, '{"metadata":{"name":"none"},"deleteOptions":{"dryRun":["All"]}}'),
    post(`${pods}/none/binding`, '{"metadata":{"name":"none"},"target":{"kind":"Node","name":"n"}}'),
    post(`${pods}/none/binding`, '{"metadata":{"name":"none"}}'),
    post(`/api/v1/namespaces/${tag}/bindings`, '{"metadata":{"name":"none"},"target":{"kind":"Node","name":"n"}}'),
    { method: "DELETE", path: `${pod}/status` },
    { method: "DELETE", path: `${pod}?gracePeriodSeconds=0` },
  ];
}

function scales(tag: string): readonly Step[] {
  const sets = `/apis/apps/v1/namespaces/${tag}/replicasets`;
  const scale = `${sets}/${tag}-scaled/scale`;
  const template = { metadata: { labels: { app: "rare" } }, spec };
  return [
    create(sets, {
      metadata: { name: `${tag}-scaled` },
      spec: { replicas: 0, selector: { matchLabels: { app: "rare" } }, template },
    }),
    get(scale),
    get(scale, table),
    send("PUT", scale, `{"metadata":{"name":"${tag}-scaled","namespace":"${tag}"},"spec":{"replicas":2}}`),
    send("PUT", scale, `{"metadata":{"name":"${tag}-scaled"},"spec":{"replicas":-1}}`),
    send("PATCH", scale, '{"spec":{"replicas":3}}', merge),
    send("PATCH", scale, '[{"op":"replace","path":"/spec/replicas","value":1}]', jsonPatch),
    send(
      "PATCH",
      `${scale}?fieldManager=k&force=true`,
      "kind: Scale\napiVersion: autoscaling/v1\nspec: {replicas: 0}\n",
      apply,
    ),
    get(`${sets}/none/scale`),
    { method: "DELETE", path: `${sets}/${tag}-scaled?orphanDependents=true` },
  ];
}

function tokens(tag: string): readonly Step[] {
  const accounts = `/api/v1/namespaces/${tag}/serviceaccounts`;
  const token = `${accounts}/default/token`;
  return [
    post(token, '{"spec":{"audiences":["a"],"expirationSeconds":3600}}'),
    post(`${accounts}/none/token`, "{}"),
    post(token, '{"spec":{"audiences":["a"],"boundObjectRef":{"kind":"Pod","apiVersion":"v1","name":"none"}}}'),
    post(token, '{"spec":{"expirationSeconds":1}}'),
    post(token, "spec: {audiences: [b]}\n", yaml),
    post(`${token}?dryRun=All`, "{}"),
  ];
}

/** Requests for certificates, and what decides them. */
function approvals(tag: string): readonly Step[] {
  const all = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
  return [
    post(
      all,
      `{"metadata":{"name":"${tag}"},"spec":{"request":"eA==","signerName":"a.b/c","usages":["digital signature"]}}`,
    ),
    get(`${all}/${tag}`),
    get(`${all}/${tag}/approval`),
    send(
      "PUT",
      `${all}/${tag}/approval`,
      `{"metadata":{"name":"${tag}"},"status":{"conditions":[{"type":"Approved","status":"True"}]}}`,
    ),
    send("PATCH", `${all}/${tag}/approval`, '{"status":{}}', merge),
    send("PATCH", `${all}/${tag}/status`, '{"status":{"certificate":"eA=="}}', merge),
    { method: "DELETE", path: `${all}/${tag}` },
  ];
}

function finalizers(tag: string): readonly Step[] {
  return [
    send("PUT", `/api/v1/namespaces/${tag}/finalize`, "{}"),
    send("PATCH", `/api/v1/namespaces/${tag}/status`, '{"metadata":{"annotations":{"a":"1"}}}', merge),
    get("/api/v1/nodes/none/status"),
  ];
}
