import { encodeYaml, isJsonObject, type JsonObject, type JsonValue } from "@gatehouse/envelopes";
import { overlay, substitute, without } from "./json-overlay.js";
import type { Sample } from "./sample.js";
import { asObject, createSubject, type Subject, type SubjectOptions } from "./subject.js";
import { filledValidly } from "./valid-filler.js";

/** The same resource with objects in which every member is set. */
export async function createFullSubject(options: SubjectOptions): Promise<Subject> {
  const { kind, apiVersion } = options.resource;
  const plain = await createSubject(options);
  const filled = filledValidly(plain.schema);
  const sent = async (n: number): Promise<JsonObject> => {
    const written = await plain.sent(n);
    const own = Object.fromEntries((takenFromSample[kind] ?? []).map((name) => [name, written[name] as JsonValue]));
    const fitting = kind === "CustomResourceDefinition" ? overlay(filled, { spec: namesOf(written) }) : filled;
    const metadata = overlay(asObject(filled["metadata"]), written["metadata"]);
    return overlay<JsonObject>({ kind, apiVersion, ...fitting, ...own, metadata }, differences[kind]?.(n));
  };
  const sample: Sample = {
    ...options.sample,
    ...(filled["status"] === undefined ? {} : { status: asObject(filled["status"]) }),
    // What becomes of a status that is sent along is tested with the samples.
    volatile: [...(options.sample.volatile ?? []), "status"],
  };
  return {
    ...plain,
    sample,
    sent,
    written: async (n) => encodeYaml(await sent(n)),
    comparable: (object) => without(plain.comparable(object), ["status"]),
    async expected(n, uid) {
      const object = await sent(n);
      const effects = substitute(serverEffects[kind]?.(object) ?? {}, { $uid: uid, $n: String(n) });
      const fields = plain.namespace === "" ? {} : { metadata: { namespace: plain.namespace } };
      const whole = without(overlay(overlay(object, effects), fields), [
        "status",
        ...(options.sample.writeOnly ?? []),
        ...(serverDrops[kind] ?? []),
      ]);
      return without(plain.comparable(plain.canonical(whole)), ["status"]);
    },
  };
}

/** Members that must fit the name of the object, or that the server reads. */
const takenFromSample: Readonly<Record<string, readonly string[]>> = {
  APIService: ["spec"],
  CertificateSigningRequest: ["spec"],
  ClusterTrustBundle: ["spec"],
};

/** What no two objects may share. */
const differences: Readonly<Record<string, (n: number) => JsonObject>> = {
  Service: (n) => ({
    spec: {
      clusterIP: `10.96.200.${n}`,
      clusterIPs: [`10.96.200.${n}`],
      healthCheckNodePort: 32000 + n,
      ports: [{ nodePort: 31000 + n }],
    },
  }),
};

/** A definition is found by its names, whatever else it says. */
function namesOf(definition: JsonObject): JsonObject {
  const { group, names, scope } = asObject(definition["spec"]);
  return { group, names, scope };
}

/** What the server does not keep. */
const serverDrops: Readonly<Record<string, readonly string[]>> = { Node: ["spec.configSource"] };

/** What the server writes into objects besides what it always writes. */
const serverEffects: Readonly<Record<string, (sent: JsonObject) => JsonObject>> = {
  CertificateSigningRequest: () => ({
    spec: { username: "kubernetes-admin", groups: ["system:masters", "system:authenticated"] },
  }),
  APIService: () => ({ spec: { service: { port: 443 } } }),
  DaemonSet: () => ({ metadata: { annotations: { "deprecated.daemonset.template.generation": "1" } } }),
  Namespace: (sent) => ({
    metadata: { labels: { "kubernetes.io/metadata.name": String(asObject(sent["metadata"])["name"]) } },
    spec: { finalizers: [...(asObject(sent["spec"])["finalizers"] as string[]), "kubernetes"] },
  }),
  Secret: (sent) => ({
    data: Object.fromEntries(
      Object.entries(asObject(sent["stringData"])).map(([key, text]) => [
        key,
        Buffer.from(String(text)).toString("base64"),
      ]),
    ),
  }),
  // Of the references only the names count.
  ServiceAccount: (sent) => ({ secrets: (sent["secrets"] as JsonObject[]).map(onlyName) }),
  StatefulSet: (sent) => ({
    spec: {
      volumeClaimTemplates: (asObject(sent["spec"])["volumeClaimTemplates"] as JsonObject[]).map(() => ({
        kind: "PersistentVolumeClaim",
        apiVersion: "v1",
      })),
    },
  }),
};

function onlyName(reference: JsonObject): JsonObject {
  const others = Object.keys(reference).filter((name) => name !== "name" && isJsonObject(reference));
  return Object.fromEntries(others.map((name) => [name, ""]));
}
