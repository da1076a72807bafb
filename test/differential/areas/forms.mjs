// Every form in which answers can be asked for, with every verb, for many kinds: JSON, YAML, protobuf, tables, metadata.
import { sampleObjects, setUp } from "../lib/sample-objects.mjs";

const meta = "g=meta.k8s.io";
const accepts = [
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
  `application/json;as=Table;v=v1;${meta}`,
  `application/json;as=Table;v=v1beta1;${meta}`,
  `application/yaml;as=Table;v=v1;${meta}`,
  `application/vnd.kubernetes.protobuf;as=Table;v=v1;${meta}`,
  `application/json;as=PartialObjectMetadata;v=v1;${meta}`,
  `application/json;as=PartialObjectMetadata;v=v1beta1;${meta}`,
  `application/yaml;as=PartialObjectMetadata;v=v1;${meta}`,
  `application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;v=v1;${meta}`,
  `application/json;as=PartialObjectMetadataList;v=v1;${meta}`,
  `application/json;as=PartialObjectMetadataList;v=v1beta1;${meta}`,
  `application/yaml;as=PartialObjectMetadataList;v=v1;${meta}`,
  `application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;v=v1;${meta}`,
  "application/json;stream=watch",
  "application/vnd.kubernetes.protobuf;stream=watch",
  `application/json;stream=watch;as=Table;v=v1;${meta}`,
  `application/json;as=Status;v=v1;g=`,
  "text/html",
];
const merge = { "content-type": "application/merge-patch+json" };
const json = { "content-type": "application/json" };

/** Cases for a runner of differential areas. */
export const parallel = 4;

export async function* cases(...sides) {
  await Promise.all(sides.map(setUp));
  for (const { plural, apiVersion, collection, path, object } of sampleObjects) {
    const mine = "labelSelector=sample%3Dyes";
    for (const accept of accepts) {
      const step = (label, method, at, more = {}) => ({
        label,
        method,
        path: at,
        ...more,
        headers: { accept, ...more.headers },
        ...(/yaml.*as=Table/.test(accept) && { view: tableWithoutProse }),
      });
      const other = { ...object, metadata: { ...object.metadata, name: `other-${plural}` } };
      const watch = { maxMs: 2500, ...(/yaml|protobuf/.test(accept) ? { view: typeOnly } : {}) };
      yield {
        name: `${plural} ${apiVersion} ${accept}`,
        independent: true,
        steps: [
          step("get", "GET", path),
          step("list", "GET", `${collection}?${mine}`),
          step("page", "GET", `${collection}?${mine}&limit=1`),
          step("watch", "GET", `${collection}?watch=1&timeoutSeconds=1&resourceVersion=0&${mine}`, watch),
          step("create", "POST", `${collection}?dryRun=All`, { body: other, headers: json }),
          step("update", "PUT", `${path}?dryRun=All`, { body: object, headers: json }),
          step("patch", "PATCH", `${path}?dryRun=All`, { body: '{"metadata":{"labels":{"a":"b"}}}', headers: merge }),
          step("apply", "PATCH", `${path}?dryRun=All&fieldManager=m`, {
            body: JSON.stringify({
              apiVersion,
              kind: object.kind,
              metadata: { name: object.metadata.name, labels: { z: "y" } },
            }),
            headers: { "content-type": "application/apply-patch+yaml" },
          }),
          step("delete", "DELETE", `${path}?dryRun=All`),
          step("deletecollection", "DELETE", `${collection}?dryRun=All&${mine}`),
          step("absent", "GET", `${collection}/absent`),
          step("status", "GET", `${path}/status`),
          step("scale", "GET", `${path}/scale`),
          step("refused", "POST", `${collection}?dryRun=All`, { body: { metadata: { name: "A_b" } }, headers: json }),
          step("broken", "POST", `${collection}?dryRun=All`, { body: "{", headers: json }),
        ],
      };
    }
  }
}

const typeOnly = ({ status, headers }) => [status, headers["content-type"]];

/** A table in YAML: descriptions of columns are prose. */
function tableWithoutProse({ body }) {
  return body
    .toString()
    .replace(/^- description:(?:.|\n)*?\n {2}(?=format:)/gm, "- ")
    .replace(/[0-9a-f]{8}-[0-9a-f-]{27}/g, "UID")
    .replace(/(resourceVersion: )"\d+"/g, "$1VERSION")
    .replace(/(continue: ).+/g, "$1TOKEN")
    .replace(/"?20\d\d-\d\d-\d\dT[\d:]+Z"?/g, "TIME")
    .replace(/- (?:\d+[smh])+$/gm, "- AGE")
    .replace(/^ *managedFields:\n(?: {6,}.*\n)*/gm, "")
    .replace(/127\.0\.0\.1:\d+/g, "HOST")
    .replace(/- 10\.0\.0\.\d+/g, "- ADDRESS");
}
