// Custom kinds whose versions differ: one whose versions a webhook converts, one whose versions differ in name alone.
// The webhook is in this file, too.

const group = "versions.example.com";
const text = { type: "string" };
const texts = { type: "array", items: text };
const whole = { type: "integer" };

const object = (properties, more = {}) => ({ type: "object", properties, ...more });
const listMap = (key, properties) => ({
  type: "array",
  "x-kubernetes-list-type": "map",
  "x-kubernetes-list-map-keys": [key],
  items: object({ [key]: text, ...properties }, { required: [key] }),
});

/** Schemas of spec by version: equal values, at other places and by other names. */
const specs = {
  v1: object({
    host: text,
    port: { ...whole, default: 80 },
    replicas: whole,
    items: listMap("name", { value: text, note: text }),
    tags: { ...texts, "x-kubernetes-list-type": "set" },
    options: { type: "object", additionalProperties: text },
  }),
  v2: object({
    hostname: text,
    port: whole,
    size: object({ count: whole }),
    entries: listMap("id", { value: text, note: text }),
    tags: { ...texts, "x-kubernetes-list-type": "set" },
    options: { type: "object", additionalProperties: text, "x-kubernetes-map-type": "atomic" },
  }),
  v3: object({
    host: text,
    port: whole,
    items: { type: "array", items: object({ name: text, value: text, note: text }) },
    tags: text,
    options: { type: "object", additionalProperties: text },
    scale: object({ wanted: whole }),
  }),
};
const status = object({ phase: text, replicas: whole, selector: text });

function version(name, specReplicasPath, more = {}) {
  return {
    name,
    served: true,
    storage: name === "v1",
    schema: { openAPIV3Schema: object({ spec: specs[name], status }) },
    subresources: {
      status: {},
      ...(specReplicasPath === undefined
        ? {}
        : {
            scale: { specReplicasPath, statusReplicasPath: ".status.replicas", labelSelectorPath: ".status.selector" },
          }),
    },
    ...more,
  };
}

function definition(plural, kind, versions, conversion) {
  return {
    apiVersion: "apiextensions.k8s.io/v1",
    kind: "CustomResourceDefinition",
    metadata: { name: `${plural}.${group}` },
    spec: { group, scope: "Namespaced", names: { plural, kind }, versions, ...(conversion && { conversion }) },
  };
}

/** The definitions; the webhook that converts is at `url`, and its certificate is its own authority. */
export function definitions(url, certificatePem) {
  const webhook = {
    strategy: "Webhook",
    webhook: {
      conversionReviewVersions: ["v1"],
      clientConfig: { url, caBundle: Buffer.from(certificatePem).toString("base64") },
    },
  };
  const preserving = (name, path) => {
    const made = version(name, path);
    made.schema.openAPIV3Schema.properties.spec = {
      ...specs[name],
      properties: { ...specs.v1.properties, ...specs.v2.properties, ...specs[name].properties },
    };
    return made;
  };
  return [
    definition(
      "sites",
      "Site",
      [version("v1", ".spec.replicas"), version("v2", ".spec.size.count"), version("v3")],
      webhook,
    ),
    definition("places", "Place", [preserving("v1", ".spec.replicas"), preserving("v2", ".spec.size.count")]),
    definition("spots", "Spot", [version("v1", ".spec.replicas"), version("v3", ".spec.scale.wanted")]),
  ];
}

/** The versions of each kind, the stored one first. */
export const versionsOf = { sites: ["v1", "v2", "v3"], places: ["v1", "v2"], spots: ["v1", "v3"] };
export { group };

/** Changes by name that the webhook makes to objects whose annotation `lie` has that name. */
export const lies = {
  "refuses v2": (made) => (made.apiVersion.endsWith("/v2") ? undefined : made),
  "refuses v1": (made) => (made.apiVersion.endsWith("/v1") ? undefined : made),
  "refuses v3": (made) => (made.apiVersion.endsWith("/v3") ? undefined : made),
  "adds what v2 does not know": (made) =>
    made.apiVersion.endsWith("/v2") ? { ...made, spec: { ...made.spec, unheard: "of" } } : made,
  "says items twice": (made) =>
    made.spec?.entries === undefined
      ? made
      : { ...made, spec: { ...made.spec, entries: [...made.spec.entries, ...made.spec.entries] } },
  "sends a number for a text": (made) =>
    made.spec?.hostname === undefined ? made : { ...made, spec: { ...made.spec, hostname: 7 } },
  "loses the tags": (made) => ({ ...made, spec: { ...made.spec, tags: undefined } }),
  "renames the object": (made) => ({ ...made, metadata: { ...made.metadata, name: "other" } }),
  "changes labels": (made) => ({
    ...made,
    metadata: { ...made.metadata, labels: { ...made.metadata.labels, by: "webhook" } },
  }),
};

/** Answers a ConversionReview. */
export function answerReview({ request: { uid, desiredAPIVersion, objects } }) {
  const convertedObjects = [];
  for (const sent of objects) {
    const made = converted(sent, desiredAPIVersion.split("/")[1], desiredAPIVersion);
    const told = (lies[sent.metadata?.annotations?.lie] ?? ((same) => same))(made);
    if (told === undefined) {
      return review({
        uid,
        result: { status: "Failure", message: `no ${desiredAPIVersion} of this` },
        convertedObjects: [],
      });
    }
    convertedObjects.push(told);
  }
  return review({ uid, result: { status: "Success" }, convertedObjects });
}

function review(response) {
  return { apiVersion: "apiextensions.k8s.io/v1", kind: "ConversionReview", response };
}

function converted({ spec, ...rest }, to, apiVersion) {
  const from = rest.apiVersion.split("/")[1];
  return {
    ...rest,
    apiVersion,
    ...(spec === undefined ? {} : spec === null ? { spec } : { spec: fromHub(toHub(spec, from), to) }),
  };
}

/** Converts a spec to the form of v1. */
function toHub(spec, from) {
  if (from === "v2") {
    const { hostname, size, entries, ...same } = spec;
    return clean({
      ...same,
      host: hostname,
      replicas: size?.count,
      items: entries?.map(({ id, ...item }) => ({ name: id, ...item })),
    });
  }
  if (from === "v3") {
    const { tags, scale, ...same } = spec;
    return clean({
      ...same,
      tags: tags === undefined || tags === null ? tags : tags === "" ? [] : tags.split(","),
      replicas: scale?.wanted,
    });
  }
  return spec;
}

function fromHub(spec, to) {
  if (to === "v2") {
    const { host, replicas, items, ...same } = spec;
    return clean({
      ...same,
      hostname: host,
      size: replicas === undefined ? undefined : { count: replicas },
      entries: items?.map(({ name, ...item }) => ({ id: name, ...item })),
    });
  }
  if (to === "v3") {
    const { tags, replicas, ...same } = spec;
    return clean({ ...same, tags: tags?.join(","), scale: replicas === undefined ? undefined : { wanted: replicas } });
  }
  return spec;
}

function clean(members) {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
}
