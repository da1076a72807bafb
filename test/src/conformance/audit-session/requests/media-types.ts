import { get, mediaHeaders, post, type Step, send } from "../step.js";

const { merge, strategic, jsonPatch, apply, yaml, protobuf, table } = mediaHeaders;
const asProtobuf = { accept: "application/vnd.kubernetes.protobuf" };
const asYaml = { accept: "application/yaml" };
const asMetadata = { accept: "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io" };
const asMetadataList = { accept: "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io" };

/** Requests and answers in other media types than JSON. */
export function mediaTypes(tag: string): readonly Step[] {
  return [...ofConfigMaps(tag), ...ofDeployments(tag)];
}

function ofConfigMaps(tag: string): readonly Step[] {
  const maps = `/api/v1/namespaces/${tag}/configmaps`;
  return [
    post(maps, `metadata:\n  name: ${tag}-yaml\n  labels: {run: "yes"}\ndata:\n  n: "1"\n`, yaml),
    get(`${maps}/${tag}-yaml`, asYaml),
    send(
      "PATCH",
      `${maps}/${tag}-yaml?fieldManager=m&force=true`,
      `kind: ConfigMap\napiVersion: v1\nmetadata:\n  name: ${tag}-yaml\ndata: {x: "1"}\n`,
      apply,
    ),
    { method: "POST", path: maps, headers: protobuf, body: protobufConfigMap(`${tag}-pb`) },
    { method: "POST", path: `${maps}?dryRun=All`, headers: protobuf, body: protobufConfigMap(`${tag}-pb`) },
    { method: "PUT", path: `${maps}/${tag}-pb`, headers: protobuf, body: protobufConfigMap(`${tag}-pb`) },
    { method: "POST", path: maps, headers: protobuf, body: Buffer.from("k8s\0\xff\xff", "latin1") },
    { method: "POST", path: maps, headers: protobuf, body: Buffer.from("no magic") },
    get(`${maps}/${tag}-pb`, asProtobuf),
    get(`${maps}/none`, asProtobuf),
    get(`${maps}/none`, asYaml),
    get(`${maps}/none`, table),
    post(maps, "x", { "content-type": "image/png" }),
    get(maps, { accept: "image/png" }),
    get(`${maps}/${tag}-pb`, { accept: "application/json;as=Odd;v=v1;g=meta.k8s.io" }),
    get(`${maps}/${tag}-pb`, { accept: "application/json;as=Table;v=v9;g=meta.k8s.io" }),
    get(`${maps}/${tag}-pb?includeObject=Object`, table),
    get(`${maps}/${tag}-pb?includeObject=None`, table),
  ];
}

function ofDeployments(tag: string): readonly Step[] {
  const deployments = `/apis/apps/v1/namespaces/${tag}/deployments`;
  const one = `${deployments}/${tag}-forms`;
  const selected = `${deployments}?fieldSelector=metadata.name%3D${tag}-forms`;
  const template = {
    metadata: { labels: { app: "a" } },
    spec: { containers: [{ name: "c", image: "registry.example.com/c:1" }] },
  };
  const deployment = {
    metadata: { name: `${tag}-forms` },
    spec: { selector: { matchLabels: { app: "a" } }, template },
  };
  return [
    post(deployments, JSON.stringify(deployment)),
    get(one, asMetadata),
    get(selected, asMetadataList),
    get(selected, asProtobuf),
    get(selected, asYaml),
    get(`${one}/scale`, asYaml),
    get(`${one}/status`, table),
    send("PATCH", one, '{"metadata":{"labels":{"l":"1"}}}', { ...merge, ...asYaml }),
    send("PATCH", one, '{"metadata":{"labels":{"m":"1"}}}', { ...strategic, ...asProtobuf }),
    send("PATCH", one, '{"metadata":{"labels":{"n":"1"}}}', { ...merge, ...table }),
    send("PATCH", `${one}?dryRun=All`, '{"metadata":{"labels":{"o":"1"}}}', merge),
    send("PATCH", `${one}/status`, '[{"op":"test","path":"/kind","value":"Pod"}]', jsonPatch),
    send("PATCH", one, '{"spec":{"template":{"spec":{"containers":[{"name":"c","image":""}]}}}}', strategic),
    get(`/api/v1/namespaces/${tag}`, asYaml),
    get(`/api/v1/namespaces?fieldSelector=metadata.name%3D${tag}`, table),
  ];
}

/** A ConfigMap without data: an envelope around its metadata with a name. */
function protobufConfigMap(name: string): Buffer {
  const field = (number: number, content: Buffer): Buffer =>
    Buffer.concat([Buffer.from([(number << 3) | 2, content.length]), content]);
  const text = (number: number, content: string): Buffer => field(number, Buffer.from(content));
  const typeMeta = field(1, Buffer.concat([text(1, "v1"), text(2, "ConfigMap")]));
  const object = field(2, field(1, text(1, name)));
  return Buffer.concat([Buffer.from("k8s\0"), typeMeta, object]);
}
