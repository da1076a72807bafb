import { create, get, mediaHeaders, type Step, send } from "../step.js";

const { table } = mediaHeaders;

/** Lists and their pages, what is in no namespace, and deletions of many. */
export function collections(tag: string): readonly Step[] {
  const secrets = `/api/v1/namespaces/${tag}/secrets`;
  const maps = `/api/v1/namespaces/${tag}/configmaps`;
  const flowSchemas = "/apis/flowcontrol.apiserver.k8s.io/v1beta3/flowschemas";
  const crowd = "labelSelector=crowd%3D1";
  const one = (name: string): Step =>
    create(secrets, { kind: "Secret", apiVersion: "v1", metadata: { name: `${tag}-${name}`, labels: { crowd: "1" } } });
  return [
    get(`${maps}?fieldSelector=metadata.name%3D${tag}-yaml`),
    get(`${maps}?limit=odd`),
    get(`${maps}?labelSelector=%21%21`),
    get(`${maps}?fieldSelector=odd%3D1`),
    get(`${maps}?resourceVersionMatch=odd`),
    get(`${maps}?timeout=odd`),
    get(`${maps}?continue=%21`),
    get(`${maps}?resourceVersion=99999999999999999999`),
    get(`/api/v1/namespaces/${tag}/endpoints?limit=1`),
    get(`${flowSchemas}?labelSelector=a%3Db`),
    get(`${flowSchemas}/none`),
    one("a"),
    one("b"),
    get(`${secrets}?limit=1&${crowd}`),
    get(`/api/v1/secrets?${crowd}`, table),
    get(`/api/v1/secrets?${crowd}&limit=1`),
    { method: "DELETE", path: `${secrets}?${crowd}&dryRun=All` },
    { method: "DELETE", path: `${secrets}?${crowd}`, as: "jane" },
    { method: "DELETE", path: `${secrets}?${crowd}&propagationPolicy=odd` },
    { method: "DELETE", path: `${secrets}?labelSelector=%21%21` },
    { method: "DELETE", path: `${secrets}?${crowd}` },
    { method: "DELETE", path: `${maps}?labelSelector=run%3Dyes` },
    send("DELETE", `${maps}?fieldSelector=metadata.name%3D${tag}-warn`, "{}"),
    send("DELETE", `${maps}?labelSelector=run%3Dnone`, '{"kind":"Odd","apiVersion":"v1"}'),
    { method: "DELETE", path: `${maps}?labelSelector=run%3Dnone&limit=1`, headers: table },
    { method: "DELETE", path: "/api/v1/namespaces" },
    get("/apis/storage.k8s.io/v1/storageclasses?limit=1&labelSelector=run%3Dnone"),
    get("/apis/apiextensions.k8s.io/v1/customresourcedefinitions?labelSelector=run%3Dnone"),
  ];
}
