import { copyMemberNotes } from "../codec/member-notes.js";
import type { JsonObject, JsonValue } from "../json/json.js";
import { isSet, objectAt } from "../json/json-fields.js";
import { messageSchema } from "../schema/registry.js";
import type { Field, ObjectSchema, Schema } from "../schema/schema.js";
import { amountAsSent, amountsAsSent, listAsSent, mapAsSent } from "./as-sent.js";
import { goTypeOf } from "./served-type-name.js";

/*
 * The internal types of v1.29, which it validates and shows in messages. Nearly all of them have the members of the
 * served version under the same names; `exceptions` lists the others.
 */

/** A type of Go. `name` is that of a named type, with its package. */
export type GoType =
  | { readonly kind: "struct"; readonly name: string; readonly fields: () => readonly GoField[] }
  | { readonly kind: "pointer"; readonly to: GoType }
  | { readonly kind: "slice"; readonly of: GoType }
  | { readonly kind: "map"; readonly of: GoType; readonly name: string | undefined }
  | { readonly kind: "string"; readonly name: string }
  | { readonly kind: "int" | "bool"; readonly name: string }
  | {
      readonly kind: "quantity";
      readonly name: string;
      /** True for an amount in a list of resources. */
      readonly isListed: boolean;
    }
  | { readonly kind: "time"; readonly name: string };

/** A member of a struct. */
export interface GoField {
  readonly name: string;
  readonly type: GoType;
  /**
   * Returns the value of the member, from the JSON of the struct: an object for nearly all. Undefined if it is not set.
   */
  readonly read: (holder: JsonObject) => JsonValue | undefined;
}

/** Returns the Go type of a message: `k8s.io.api.core.v1.PodSpec` is `core.PodSpec` inside v1.29. */
export function goTypeOfMessage(message: string): GoType {
  return structOf(messageSchema(message));
}

const structs = new Map<string, GoType>();

function structOf(schema: ObjectSchema): GoType {
  const known = structs.get(schema.name);
  if (known !== undefined) {
    return known;
  }
  let fields: readonly GoField[] | undefined;
  const struct: GoType = {
    kind: "struct",
    name: internalName(schema.name),
    fields: () => {
      fields ??= fieldsOf(schema);
      return fields;
    },
  };
  structs.set(schema.name, struct);
  return struct;
}

/** Returns the internal name of a type: `core.Pod` for `v1.Pod`; the types of meta have no other form. */
function internalName(fullName: string): string {
  const parts = fullName.split(".");
  const name = parts.at(-1) ?? "";
  const version = parts.at(-2) ?? "";
  return fullName.startsWith("k8s.io.api.") ? `${parts.at(-3)}.${name}` : `${version}.${name}`;
}

/** Members that every kind has, and no other message that has metadata: a struct of Go, which internal types leave empty. */
const typeMembers: readonly string[] = ["kind", "apiVersion"];
const typeMeta: GoField = {
  name: "TypeMeta",
  type: { kind: "struct", name: "v1.TypeMeta", fields: () => [] },
  read: () => undefined,
};

function fieldsOf(schema: ObjectSchema): readonly GoField[] {
  const exception = exceptions[schema.name.slice("k8s.io.api.".length)] ?? {};
  const isKind = [...typeMembers, "metadata"].every((name) => schema.fields.some((field) => field.name === name));
  const fields = schema.fields
    .filter(({ name }) => exception.without?.includes(name) !== true && !(isKind && typeMembers.includes(name)))
    .map((field) => fieldOf(schema, field, exception));
  const all = [...(isKind ? [typeMeta] : []), ...(exception.first ?? []), ...fields];
  const { order } = exception;
  return order === undefined ? all : order.split(" ").flatMap((name) => all.find((field) => field.name === name) ?? []);
}

function fieldOf(schema: ObjectSchema, field: Field, exception: Exception): GoField {
  const type = typeOf(field, schema);
  const isValue = type.kind === "pointer" && exception.values?.includes(field.name) === true;
  const read = exception.read?.[field.name];
  return {
    name: exception.names?.[field.name] ?? goName(field),
    type: isValue ? type.to : type,
    read: read ?? (field.inline ? (holder) => holder : reader(field.name, type)),
  };
}

/** Returns the reader of a member as Go holds it (as-sent.ts). */
function reader(name: string, type: GoType): GoField["read"] {
  switch (type.kind) {
    case "slice":
      return (holder) => listAsSent(holder, name);
    case "map":
      return type.of.kind === "quantity"
        ? (holder) => amountsAsSent(holder, name)
        : (holder) => mapAsSent(holder, name);
    case "quantity":
      return (holder) => amountAsSent(holder, name);
    default:
      return (holder) => holder[name];
  }
}

/** Returns the Go name of a member; an embedded one is named by its type. */
function goName(field: Field): string {
  if (field.inline || (field.name === "metadata" && field.schema.type === "object")) {
    return (field.schema as ObjectSchema).name.split(".").at(-1) ?? "";
  }
  return irregularNames.get(field.name) ?? `${field.name.charAt(0).toUpperCase()}${field.name.slice(1)}`;
}

/** Go names of members that are not the JSON names with an initial capital. */
const irregularNames: ReadonlyMap<string, string> = new Map(
  (
    "dnsPolicy=DNSPolicy dnsConfig=DNSConfig os=OS gcePersistentDisk=GCEPersistentDisk nfs=NFS iscsi=ISCSI rbd=RBD " +
    "awsElasticBlockStore=AWSElasticBlockStore cephfs=CephFS fc=FC storageos=StorageOS csi=CSI pdName=PDName " +
    "fsType=FSType iqn=IQN iscsiInterface=ISCSIInterface apiVersion=APIVersion wwids=WWIDs sslEnabled=SSLEnabled " +
    "apiGroup=APIGroup tty=TTY httpGet=HTTPGet tcpSocket=TCPSocket grpc=GRPC httpHeaders=HTTPHeaders uid=UID " +
    "seLinuxOptions=SELinuxOptions gmsaCredentialSpecName=GMSACredentialSpecName ip=IP fsGroup=FSGroup " +
    "gmsaCredentialSpec=GMSACredentialSpec fsGroupChangePolicy=FSGroupChangePolicy"
  )
    .split(" ")
    .map((pair) => pair.split("=") as [string, string]),
);

/**
 * The differences of an internal type from the served one. Members have their JSON names, in `order` their Go names.
 */
interface Exception {
  readonly names?: Readonly<Record<string, string>>;
  readonly order?: string;
  readonly without?: readonly string[];
  readonly first?: readonly GoField[];
  readonly read?: Readonly<Record<string, GoField["read"]>>;
  /** Members that are pointers in the served type and values in the internal one. */
  readonly values?: readonly string[];
}

const hostMembers = ["hostNetwork", "hostPID", "hostIPC", "shareProcessNamespace", "hostUsers"];

const exceptions: Readonly<Record<string, Exception>> = {
  "core.v1.PodSpec": {
    order:
      "Volumes InitContainers Containers EphemeralContainers RestartPolicy TerminationGracePeriodSeconds " +
      "ActiveDeadlineSeconds DNSPolicy NodeSelector ServiceAccountName AutomountServiceAccountToken NodeName " +
      "SecurityContext ImagePullSecrets Hostname Subdomain SetHostnameAsFQDN Affinity SchedulerName Tolerations " +
      "HostAliases PriorityClassName Priority PreemptionPolicy DNSConfig ReadinessGates RuntimeClassName Overhead " +
      "EnableServiceLinks TopologySpreadConstraints OS SchedulingGates ResourceClaims",
    without: ["serviceAccount", ...hostMembers],
    // The namespaces that a pod shares with the host are in its security context, which is always set.
    read: {
      securityContext: (spec) => {
        const own = hostMembers.filter((name) => isSet(spec, name)).map((name) => [name, spec[name] ?? null] as const);
        const security = objectAt(spec, "securityContext");
        const inside: JsonObject = { ...security, ...Object.fromEntries(own) };
        copyMemberNotes(security, inside);
        return inside;
      },
    },
  },
  "core.v1.PodSecurityContext": {
    order:
      "HostNetwork HostPID HostIPC ShareProcessNamespace HostUsers SELinuxOptions WindowsOptions RunAsUser RunAsGroup " +
      "RunAsNonRoot SupplementalGroups FSGroup FSGroupChangePolicy Sysctls SeccompProfile",
    first: hostMembers.map((name) => ({
      name: goName({ name } as Field),
      type:
        name.startsWith("share") || name === "hostUsers"
          ? { kind: "pointer", to: { kind: "bool", name: "bool" } }
          : { kind: "bool", name: "bool" },
      read: (holder) => holder[name],
    })),
  },
  "core.v1.VolumeSource": {
    order:
      "HostPath EmptyDir GCEPersistentDisk AWSElasticBlockStore GitRepo Secret NFS ISCSI Glusterfs " +
      "PersistentVolumeClaim RBD Quobyte FlexVolume Cinder CephFS Flocker DownwardAPI FC AzureFile ConfigMap " +
      "VsphereVolume AzureDisk PhotonPersistentDisk Projected PortworxVolume ScaleIO StorageOS CSI Ephemeral",
  },
  "core.v1.PersistentVolumeSource": {
    order:
      "GCEPersistentDisk AWSElasticBlockStore HostPath Glusterfs NFS RBD Quobyte ISCSI FlexVolume Cinder CephFS FC " +
      "Flocker AzureFile VsphereVolume AzureDisk PhotonPersistentDisk PortworxVolume ScaleIO Local StorageOS CSI",
  },
  "core.v1.GlusterfsPersistentVolumeSource": { names: { endpoints: "EndpointsName" } },
  "core.v1.ISCSIVolumeSource": {
    names: { chapAuthDiscovery: "DiscoveryCHAPAuth", chapAuthSession: "SessionCHAPAuth" },
  },
  "core.v1.ISCSIPersistentVolumeSource": {
    names: { chapAuthDiscovery: "DiscoveryCHAPAuth", chapAuthSession: "SessionCHAPAuth" },
  },
  "core.v1.GlusterfsVolumeSource": { names: { endpoints: "EndpointsName" } },
  "core.v1.RBDVolumeSource": {
    names: { monitors: "CephMonitors", image: "RBDImage", pool: "RBDPool", user: "RadosUser" },
  },
  "core.v1.RBDPersistentVolumeSource": {
    names: { monitors: "CephMonitors", image: "RBDImage", pool: "RBDPool", user: "RadosUser" },
  },
  "core.v1.AzureDiskVolumeSource": { names: { diskURI: "DataDiskURI" } },
  "core.v1.ServiceAccountTokenProjection": { values: ["expirationSeconds"] },
  "flowcontrol.v1.ResourcePolicyRule": { names: { apiGroups: "APIGroups" } },
  "apps.v1.RollingUpdateDeployment": { values: ["maxUnavailable", "maxSurge"] },
  "apps.v1.RollingUpdateDaemonSet": { values: ["maxUnavailable", "maxSurge"] },
  "apps.v1.RollingUpdateStatefulSetStrategy": { values: ["partition"] },
};

/** Named types of strings that belong to another group than the struct in which they stand. */
const foreignNames: ReadonlyMap<string, string> = new Map([
  ["batch.PodConditionType", "core.PodConditionType"],
  ["batch.ConditionStatus", "core.ConditionStatus"],
]);

function typeOf(field: Field, holder: ObjectSchema): GoType {
  const named = field.namedType === undefined ? undefined : internalName(field.namedType);
  const own = named === undefined ? undefined : (foreignNames.get(named) ?? named);
  const type = innerType(field.schema, own);
  const isNil = field.pointer && holder.name !== "" && type.kind !== "slice" && type.kind !== "map";
  return isNil ? { kind: "pointer", to: type } : type;
}

function innerType(schema: Schema, named: string | undefined): GoType {
  switch (schema.type) {
    case "object":
      return structOf(schema);
    case "list":
      return { kind: "slice", of: innerType(schema.items, named) };
    case "map": {
      const values = innerType(schema.values, undefined);
      const of = values.kind === "quantity" ? { ...values, isListed: named === "core.ResourceList" } : values;
      return { kind: "map", of, name: named };
    }
    case "scalar":
      return scalarType(schema.scalar, named);
    default:
      return { kind: "string", name: goTypeOf({ schema }) };
  }
}

function scalarType(scalar: string, named: string | undefined): GoType {
  switch (scalar) {
    case "boolean":
      return { kind: "bool", name: "bool" };
    case "int32":
    case "int64":
      return { kind: "int", name: scalar };
    case "quantity":
      return { kind: "quantity", name: "resource.Quantity", isListed: false };
    case "intOrString":
      return intOrString;
    case "time":
      return { kind: "time", name: "v1.Time" };
    default:
      return { kind: "string", name: named ?? "string" };
  }
}

/** The Go type of a number or text, a struct although it is one token in JSON. */
const intOrString: GoType = {
  kind: "struct",
  name: "intstr.IntOrString",
  fields: () => intOrStringFields,
};
const isText = (value: JsonValue): value is string => typeof value === "string";
const intOrStringFields: readonly GoField[] = [
  { name: "Type", type: { kind: "int", name: "intstr.Type" }, read: (value: JsonValue) => (isText(value) ? 1 : 0) },
  {
    name: "IntVal",
    type: { kind: "int", name: "int32" },
    read: (value: JsonValue) => (typeof value === "number" ? value : 0),
  },
  {
    name: "StrVal",
    type: { kind: "string", name: "string" },
    read: (value: JsonValue) => (isText(value) ? value : ""),
  },
];

/** Returns the type as Go writes it. */
export function textOfGoType(type: GoType): string {
  switch (type.kind) {
    case "pointer":
      return `*${textOfGoType(type.to)}`;
    case "slice":
      return `[]${textOfGoType(type.of)}`;
    case "map":
      return type.name ?? `map[string]${textOfGoType(type.of)}`;
    default:
      return type.name;
  }
}

/** Reports whether a value is Go's zero value of its type. An empty list or map that is not nil is not. */
export function isZero(type: GoType, value: JsonValue | undefined): boolean {
  if (value === undefined || value === null) {
    return true;
  }
  switch (type.kind) {
    case "struct":
      return type.fields().every((field) => isZero(field.type, field.read(value as JsonObject)));
    case "string":
      return value === "";
    case "int":
      return Number(value) === 0;
    case "bool":
      return value === false;
    default:
      return false;
  }
}
