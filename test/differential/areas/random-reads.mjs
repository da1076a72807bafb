// Lists and watches with parameters drawn at random, valid and not, of collections that change meanwhile.
import { Random } from "../lib/random.mjs";

const count = Number(process.env.RANDOM_READS ?? 1500);
export const parallel = 6;

const collection = "/api/v1/namespaces/reads/podtemplates";
const paths = [
  collection,
  collection,
  "/api/v1/podtemplates",
  `${collection}/r-3`,
  `${collection}/absent`,
  "/api/v1/namespaces/absent/podtemplates",
  "/apis/apps/v1/namespaces/reads/deployments",
  "/apis/apps/v1/deployments",
  "/api/v1/watch/namespaces/reads/podtemplates",
  "/api/v1/watch/namespaces/reads/podtemplates/r-3",
  "/apis/discovery.k8s.io/v1/namespaces/reads/endpointslices",
];
const accepts = [
  undefined,
  undefined,
  undefined,
  "application/json",
  "application/yaml",
  "application/vnd.kubernetes.protobuf",
  "*/*",
  "text/html",
  "application/json;stream=watch",
  "application/json;as=Table;v=v1;g=meta.k8s.io",
  "application/json;as=Table;v=v1beta1;g=meta.k8s.io,application/json",
  "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io",
  "application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io",
  "application/vnd.kubernetes.protobuf;stream=watch",
  "application/cbor",
  "application/json;q=0.5,application/yaml",
];
const values = {
  resourceVersion: ["", "0", "1", "$first", "$last", "$last", "$future", "-1", "x", "007", "18446744073709551616"],
  resourceVersionMatch: ["", "NotOlderThan", "NotOlderThan", "Exact", "exact", "Wrong"],
  limit: ["0", "1", "2", "3", "500", "-1", "x", ""],
  continue: ["$next", "$next", "x", ""],
  labelSelector: ["app=odd", "app in (odd,even)", "!app", "n>3", "app=odd=x", "", "app!=odd,n"],
  fieldSelector: [
    "metadata.name=r-3",
    "metadata.name!=r-3",
    "metadata.namespace=reads",
    "metadata.namespace=other",
    "data.a=1",
    "",
    "metadata.name=r-3,metadata.namespace=reads",
    "metadata.name=absent",
  ],
  watch: ["1", "true", "false", "0", "", "x"],
  allowWatchBookmarks: ["true", "false", "1", "x"],
  sendInitialEvents: ["true", "false", "", "x"],
  timeoutSeconds: ["1", "0", "-1", "x"],
  pretty: ["true", "0"],
};

export async function* cases() {
  const draw = new Random(Number(process.env.SEED ?? 1));
  const config = (n) => ({
    method: "POST",
    path: collection,
    body: {
      metadata: { name: `r-${n}`, labels: { app: n % 2 ? "odd" : "even", n: String(n) } },
      template: { metadata: { labels: { a: String(n) } }, spec: { containers: [{ name: "c", image: "i" }] } },
    },
    quiet: true,
  });
  yield {
    name: "set up",
    steps: [
      { method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: "reads" } }, quiet: true },
      ...[1, 2, 3, 4, 5, 6].map(config),
    ],
  };
  // What comes first in each case: the versions of the collection and of its first object, and a token for its second page.
  const before = [
    {
      method: "GET",
      path: collection,
      save: { last: "metadata.resourceVersion", first: "items.0.metadata.resourceVersion" },
      quiet: true,
    },
    { method: "GET", path: `${collection}?limit=2`, save: { next: "metadata.continue" }, quiet: true },
  ];
  for (let index = 0; index < count; index++) {
    const path = draw.pick(paths);
    const parameters = Object.keys(values).filter((name) =>
      draw.chance(name === "watch" ? 0.45 : name === "resourceVersion" ? 0.5 : 0.22),
    );
    const query = parameters.map((name) => {
      const value = draw.pick(values[name]);
      return `${name}=${value.startsWith("$") ? value : encodeURIComponent(value)}`;
    });
    const isWatch =
      query.includes("watch=1") || query.includes("watch=true") || query.includes("watch=") || path.includes("/watch/");
    if (isWatch && !query.includes("timeoutSeconds=1")) query.push("timeoutSeconds=1");
    const accept = draw.pick(accepts);
    yield {
      name: `${index}: ${path}?${query.join("&")} as ${accept}`,
      independent: true,
      steps: [
        ...before,
        {
          method: "GET",
          path: `${path}?${query.join("&")}`.replace("$future", "99999999"),
          headers: accept === undefined ? {} : { accept },
          maxMs: 5000,
        },
      ],
    };
  }
}
