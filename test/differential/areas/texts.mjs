// Texts with a syntax of their own in objects of built-in kinds: schedules, addresses, names, paths, URLs and such, drawn from their
// grammars, some of them with characters changed. COUNT is the number of objects, SEED which.

import { either, one, spoilt } from "../lib/grammar.mjs";
import { Random } from "../lib/random.mjs";

export const parallel = 4;
const namespace = "texts";
/** Pieces that spoil a text. */
const pieces = ["", ...":/.-_ *%@,\\\"'\n\t{}[]~é0aZ", "\u0000"];

/** Cases for a runner of differential areas. */
export async function* cases() {
  const { SEED = "1", COUNT = "4000" } = process.env;
  const made = { method: "POST", path: "/api/v1/namespaces", body: { metadata: { name: namespace } }, quiet: true };
  yield { name: "namespace", steps: [made] };
  const names = Object.keys(slots);
  for (let i = 0; i < Number(COUNT); i++) {
    const r = new Random(Number(SEED) * 1_000_003 + i);
    const name = r.pick(names);
    const { path, grammar, object } = slots[name];
    const text = spoilt(r, grammar(r), pieces);
    const body = { ...object(text, r), metadata: { name: "x", ...object(text, r).metadata } };
    const step = { method: "POST", path: `${path}?dryRun=All`, body, view };
    yield { name: `${SEED}-${i} ${name} ${JSON.stringify(text)}`, independent: true, steps: [step] };
  }
}

/** The problems of the object, or what it has become. */
function view({ body, headers }) {
  const { metadata: _, ...answer } = JSON.parse(body.toString());
  return { ...answer, warning: headers.warning };
}

const part = one(
  "a",
  "b1",
  "x-y",
  "A",
  "1",
  "0a",
  "a_b",
  "-a",
  "a-",
  "",
  "a.b",
  "é",
  "a".repeat(63),
  "a".repeat(64),
  "xn--a",
  "*",
);
const dotted = (r) => Array.from({ length: 1 + r.int(4) }, () => part(r)).join(".");
const qualified = (r) =>
  r.chance(0.5)
    ? `${dotted(r)}/${part(r)}`
    : r.pick([part(r), `${part(r)}/${part(r)}/${part(r)}`, "kubernetes.io/x", "k8s.io/", `${"a".repeat(254)}/b`]);
const octet = one("0", "1", "10", "127", "255", "256", "01", "", "-1", "1e1", "0x1", "1.5");
const ip4 = (r) =>
  r.chance(0.6)
    ? `10.0.${r.int(300)}.${r.int(260)}`
    : Array.from({ length: r.pick([4, 4, 4, 3, 5]) }, () => octet(r)).join(".");
const ip6 = one(
  "::",
  "::1",
  "fe80::1",
  "fd00::1:2",
  "2001:db8::",
  "::ffff:10.0.0.1",
  "1:2:3:4:5:6:7:8",
  "1:2:3:4:5:6:7",
  "1:2:3:4:5:6:7:8:9",
  "::1%eth0",
  "[::1]",
  "FE80::A",
  "0:0::0",
  ":::",
  "12345::",
  "::g",
  "::10.0.0.256",
  "fe80:0:0:0:0:0:0:1",
  "ff02::1",
);
const ip = either(
  ip4,
  ip4,
  ip6,
  one("localhost", "0.0.0.0", "255.255.255.255", "169.254.1.1", "224.0.0.1", "127.0.0.1", " 10.0.0.1", "10.0.0.1 "),
);
const cidr = (r) =>
  `${ip(r)}${r.pick(["/", "/", "/", "/", "", "//"])}${r.pick(["0", "8", "16", "24", "32", "33", "64", "128", "129", "-1", "08", "+8", "", "a", "24 "])}`;
const field = (low, high) => (r) => {
  const n = () => r.pick([low, high, low + 1, high + 1, 5, "a", "", "-1", "05"]);
  return r.pick([
    "*",
    "*",
    "*",
    "?",
    "*/5",
    "*/0",
    `${n()}`,
    `${n()}-${n()}`,
    `${n()}-${n()}/${n()}`,
    `${n()},${n()}`,
    `*/${n()}`,
    `${n()}/${n()}`,
    "L",
    "W",
    "5#2",
    "*,5",
    "1-",
    "-",
    "/5",
    "**",
  ]);
};
const minute = field(0, 59);
const hour = field(0, 23);
const day = field(1, 31);
const month = either(field(1, 12), one("JAN", "jan", "Dec", "feb-apr", "JAN-13", "january"));
const weekday = either(field(0, 6), one("SUN", "mon-fri", "sat", "7", "SUN,MON", "sunday", "fri-mon"));
const schedule = (r) => {
  const fields = [minute(r), hour(r), day(r), month(r), weekday(r)];
  const chosen = r.chance(0.85) ? fields : r.pick([fields.slice(1), ["0", ...fields], fields.slice(3), []]);
  const plain = chosen.map((text, i) =>
    r.chance(0.75) ? r.pick(["*", "*", String(i === 2 || i === 3 ? 1 : 0)]) : text,
  );
  return r.chance(0.12)
    ? r.pick([
        "@hourly",
        "@daily",
        "@Weekly",
        "@every 5m",
        "@every 1h30m",
        "@every -5m",
        "@every x",
        "@every 0s",
        "@every 1ns",
        "@reboot",
        "@yearly",
        "@annually",
        "@midnight",
        "@",
        "@hourly x",
        "TZ=UTC * * * * *",
        "CRON_TZ=UTC 0 0 * * *",
        "TZ=Nowhere * * * * *",
        "TZ= * * * * *",
        "TZ=UTC",
      ])
    : plain.join(r.pick([" ", " ", " ", "  ", "\t", " \n"]));
};
const zone = one(
  "UTC",
  "Etc/UTC",
  "Europe/Berlin",
  "europe/berlin",
  "America/New_York",
  "Local",
  "local",
  "",
  "Z",
  "GMT",
  "GMT+1",
  "Etc/GMT+1",
  "Etc/GMT+15",
  "CET",
  "EST",
  "EST5EDT",
  "Nowhere",
  "../UTC",
  "/etc/localtime",
  "Asia/Calcutta",
  "posix/UTC",
  "UTC ",
  "US/Pacific",
  "Asia/Kolkata",
  "zoneinfo",
  "right/UTC",
  "Factory",
  "MST7MDT",
  "tzdata.zi",
  "America",
  "posixrules",
  "Asia\\Tokyo",
);
const filePath = one(
  "a",
  "a/b",
  "/a",
  "/",
  "",
  ".",
  "..",
  "../a",
  "a/..",
  "a/../b",
  "..a",
  "a..",
  "a/./b",
  "a//b",
  "/a:b",
  "a\\b",
  "c:\\a",
  "..\\a",
  "...",
  " ",
  "a b",
  "é",
  "/dev/null",
  "~",
  "a/",
  "..data",
  "./a",
);
const envName = one(
  "A",
  "a",
  "A_B",
  "1A",
  "_",
  "a.b",
  "a-b",
  "",
  "A B",
  "A=B",
  "é",
  ".",
  "..",
  ".a",
  "-",
  "a/b",
  "..a",
);
const url = one(
  "https://a",
  "https://a/b",
  "http://a",
  "https://",
  "https://a:443/x",
  "https://a:x",
  "https://u:p@a",
  "https://a?b=c",
  "https://a#b",
  "https://a/b?c#d",
  "a",
  "//a",
  "https:a",
  "HTTPS://a",
  "https://[::1]:443",
  "https://[::1",
  "https://a b",
  "https://a/%zz",
  "https://a/%20",
  " https://a",
  "https://a\n",
  "ftp://a",
  "https://é",
  "https:///a",
  "https://:443",
  "https://a:",
  "https://@a",
  "https://?",
  "https://a?",
);
const urlPath = one(
  "/",
  "/a",
  "a",
  "",
  "/a/b",
  "/a//b",
  "/a/../b",
  "/./a",
  "/a?b",
  "/a b",
  "/%2e",
  "/*",
  "/a*",
  "*",
  "//",
  "/a/",
  "/é",
  "/a#b",
  "/a;b",
  "/..",
  "/.",
  "/a%2Fb",
  "/a%2fb",
);
const percent = one(
  "50%",
  "0%",
  "100%",
  "101%",
  "1%",
  "-1%",
  "%",
  "50",
  "5.5%",
  "050%",
  "50 %",
  "+50%",
  "1e1%",
  "",
  "50%%",
  "a%",
  "2147483648%",
);
const image = one(
  "nginx",
  "nginx:1",
  "a/b",
  "a@sha256:x",
  " nginx",
  "nginx ",
  "",
  "A",
  "é",
  "a:b:c",
  "http://a",
  "nginx:",
  "\tnginx",
  "a b",
);
const verb = one("get", "*", "Get", "", "get,list", "a b", "use", "é");
const resourceName = either(
  qualified,
  one(
    "cpu",
    "memory",
    "requests.cpu",
    "limits.memory",
    "requests.nvidia.com/gpu",
    "nvidia.com/gpu",
    "hugepages-2Mi",
    "hugepages-",
    "requests.hugepages-2Mi",
    "pods",
    "count/jobs.batch",
    "count/",
    "count/a.b.c",
    "storage",
    "requests.storage",
    "gold.storageclass.storage.k8s.io/requests.storage",
    "gold.storageclass.storage.k8s.io/x",
    "ephemeral-storage",
    "attachable-volumes-x",
    "kubernetes.io/x",
    "services.nodeports",
    "limits.nvidia.com/gpu",
    "requests.example.com/x/y",
    "requests.",
    "CPU",
  ),
);
const headerName = one("X-A", "Host", "host", "a b", "", "X_A", "X:A", "é", "a/b", "X-", "(a)");
const signer = either(
  qualified,
  (r) => `${dotted(r)}/${dotted(r)}`,
  one(
    "kubernetes.io/kube-apiserver-client",
    "kubernetes.io/legacy-unknown",
    "kubernetes.io/x",
    "a/b",
    "a.b/c",
    "example.com/",
    "/a",
    "a",
    "example.com/a/b",
    "example.com/A.b",
    "example.com/a:b",
    "*.example.com/a",
    `example.com/${"a".repeat(250)}`,
  ),
);
const host = either(
  dotted,
  one(
    "a.example.com",
    "*.example.com",
    "*",
    "*.*.com",
    "a.*.com",
    "*a.com",
    "10.0.0.1",
    "[::1]",
    "a:80",
    "A.com",
    "a.com.",
    ".a.com",
    "",
    "localhost",
    "a_b.com",
    "*.com",
  ),
);
const sysctl = one(
  "kernel.shm",
  "net.ipv4.ip_forward",
  "net/ipv4/ip",
  "net/ipv4.ip",
  "a",
  "a..b",
  "a.b/c",
  ".a",
  "a.",
  "A.b",
  "a-b.c_d",
  "",
  "a.*",
  "net/ipv4/a.b/c",
  "/a",
  "a/",
  "1.2",
  "kernel/shm_rmid_forced",
);
const mountOption = one("ro", "", "a,b", "x=y", "\n", " ");
const provisioner = either(
  qualified,
  one("kubernetes.io/aws-ebs", "A.B/C", "a/b", "", "example.com/x", "EXAMPLE.com/x"),
);

const core = `/api/v1/namespaces/${namespace}`;
const container = (more = {}) => ({ name: "c", image: "i", ...more });
const pod = (spec, metadata = {}) => ({ metadata, spec: { containers: [container()], ...spec } });
const inPod = (grammar, spec) => ({ path: `${core}/pods`, grammar, object: (text, r) => pod(spec(text, r)) });
const inContainer = (grammar, more) => inPod(grammar, (text, r) => ({ containers: [container(more(text, r))] }));
const service = (grammar, more) => ({
  path: `${core}/services`,
  grammar,
  object: (text) => ({ spec: { ports: [{ port: 80 }], ...more(text) } }),
});
const cron = (grammar, more) => ({
  path: `/apis/batch/v1/namespaces/${namespace}/cronjobs`,
  grammar,
  object: (text) => ({
    spec: {
      schedule: "* * * * *",
      jobTemplate: { spec: { template: pod({ restartPolicy: "Never" }) } },
      ...more(text),
    },
  }),
});
const volume = (grammar, source, mount = "/m") =>
  inPod(grammar, (text) => ({
    volumes: [{ name: "v", ...source(text) }],
    containers: [container({ volumeMounts: [{ name: "v", mountPath: mount }] })],
  }));
const webhook = (grammar, more) => ({
  path: "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
  grammar,
  object: (text) => ({
    webhooks: [
      {
        name: "a.b.c",
        sideEffects: "None",
        admissionReviewVersions: ["v1"],
        clientConfig: { url: "https://a" },
        ...more(text),
      },
    ],
  }),
});

/** RFC 3339 times, and what is near to them. */
function time(r) {
  const date = one(
    "2020-01-01",
    "2020-02-30",
    "2020-02-29",
    "2021-02-29",
    "0001-01-01",
    "0000-01-01",
    "9999-12-31",
    "10000-01-01",
    "2020-1-1",
    "2020-13-01",
    "2020-00-10",
    "1969-12-31",
    "20200101",
    "-001-01-01",
    "2020-06-31",
  )(r);
  const clock = one(
    "00:00:00",
    "23:59:59",
    "24:00:00",
    "23:59:60",
    "5:04:05",
    "05:4:05",
    "05:04",
    "12:34:56",
    "00:60:00",
    "000000",
    "+1:00:00",
  )(r);
  const fraction = r.chance(0.5)
    ? ""
    : one(
        ".5",
        ".123456",
        ".1234567",
        ".123456789",
        ".1234567891",
        ".",
        ",5",
        ",123456",
        ".000000",
        ".0000005",
        ".999999999",
        ".000001",
      )(r);
  const zone = one(
    "Z",
    "Z",
    "Z",
    "z",
    "+00:00",
    "-00:00",
    "+02:00",
    "-23:59",
    "+24:00",
    "+14:00",
    "+2:00",
    "+0200",
    "",
    "+02",
    "+23:60",
    "UTC",
    " Z",
  )(r);
  return `${date}${r.chance(0.9) ? "T" : r.pick(["t", " ", "", "_"])}${clock}${fraction}${zone}`;
}
const leases = `/apis/coordination.k8s.io/v1/namespaces/${namespace}/leases`;
const events = `/api/v1/namespaces/${namespace}/events`;
const event = (more) => ({
  involvedObject: { kind: "Pod", name: "p", namespace },
  reason: "r",
  ...more,
});

const slots = {
  renewTime: { path: leases, grammar: time, object: (renewTime) => ({ spec: { renewTime } }) },
  acquireTime: { path: leases, grammar: time, object: (acquireTime) => ({ spec: { acquireTime } }) },
  firstTimestamp: { path: events, grammar: time, object: (firstTimestamp) => event({ firstTimestamp }) },
  lastTimestamp: { path: events, grammar: time, object: (lastTimestamp) => event({ lastTimestamp }) },
  eventTime: { path: events, grammar: time, object: (eventTime) => event({ eventTime, reportingComponent: "a", reportingInstance: "b", action: "c", type: "Normal" }) },
  managedTime: {
    path: leases,
    grammar: time,
    object: (time) => ({ metadata: { managedFields: [{ manager: "a", operation: "Update", apiVersion: "coordination.k8s.io/v1", fieldsType: "FieldsV1", fieldsV1: {}, time }] } }),
  },
  schedule: cron(schedule, (schedule) => ({ schedule })),
  "schedule again": cron(schedule, (schedule) => ({ schedule })),
  timeZone: cron(zone, (timeZone) => ({ timeZone })),
  "schedule and zone": cron(schedule, (schedule) => ({ schedule, timeZone: "UTC" })),
  clusterIP: service(ip, (clusterIP) => ({ clusterIP })),
  clusterIPs: service(ip, (text) => ({ clusterIPs: [text] })),
  externalIPs: service(ip, (text) => ({ externalIPs: [text] })),
  loadBalancerIP: service(ip, (loadBalancerIP) => ({ type: "LoadBalancer", loadBalancerIP })),
  sourceRanges: service(cidr, (text) => ({ type: "LoadBalancer", loadBalancerSourceRanges: [text] })),
  externalName: service(host, (externalName) => ({ type: "ExternalName", externalName })),
  loadBalancerClass: service(qualified, (loadBalancerClass) => ({ type: "LoadBalancer", loadBalancerClass })),
  portName: service(part, (name) => ({ ports: [{ port: 80, name }, { port: 81, name: "b" }] })),
  appProtocol: service(qualified, (appProtocol) => ({ ports: [{ port: 80, appProtocol }] })),
  targetPort: service(either(part, one("80", "http", "a-b-c-d-e-f-g-h", "1", "a".repeat(16), "A1", "a--b")), (targetPort) => ({ ports: [{ port: 80, targetPort }] })),
  selectorKey: service(qualified, (text) => ({ selector: { [text]: "a" } })),
  selectorValue: service(part, (text) => ({ selector: { a: text } })),
  ipBlock: { path: `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`, grammar: cidr, object: (text) => ({ spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: text } }] }] } }) },
  ipBlockExcept: { path: `/apis/networking.k8s.io/v1/namespaces/${namespace}/networkpolicies`, grammar: cidr, object: (text) => ({ spec: { podSelector: {}, ingress: [{ from: [{ ipBlock: { cidr: "10.0.0.0/8", except: [text] } }] }] } }) },
  ingressHost: { path: `/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses`, grammar: host, object: (host) => ({ spec: { rules: [{ host }] } }) },
  ingressTls: { path: `/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses`, grammar: host, object: (text) => ({ spec: { tls: [{ hosts: [text] }], defaultBackend: { service: { name: "a", port: { number: 1 } } } } }) },
  ingressPath: { path: `/apis/networking.k8s.io/v1/namespaces/${namespace}/ingresses`, grammar: urlPath, object: (path, r) => ({ spec: { rules: [{ http: { paths: [{ path, pathType: r.pick(["Exact", "Prefix", "ImplementationSpecific"]), backend: { service: { name: "a", port: { number: 1 } } } }] } }] } }) },
  ingressClass: { path: "/apis/networking.k8s.io/v1/ingressclasses", grammar: qualified, object: (controller) => ({ spec: { controller } }) },
  nodeName: inPod(dotted, (nodeName) => ({ nodeName })),
  hostname: inPod(dotted, (hostname) => ({ hostname })),
  subdomain: inPod(dotted, (subdomain) => ({ subdomain })),
  hostAliases: inPod(ip, (ip) => ({ hostAliases: [{ ip, hostnames: ["a"] }] })),
  hostnames: inPod(host, (text) => ({ hostAliases: [{ ip: "10.0.0.1", hostnames: [text] }] })),
  nameservers: inPod(ip, (text) => ({ dnsPolicy: "None", dnsConfig: { nameservers: [text] } })),
  searches: inPod(host, (text) => ({ dnsConfig: { searches: [text] } })),
  sysctl: inPod(sysctl, (name) => ({ securityContext: { sysctls: [{ name, value: "1" }] } })),
  tolerationKey: inPod(qualified, (key) => ({ tolerations: [{ key, operator: "Exists" }] })),
  tolerationValue: inPod(part, (value) => ({ tolerations: [{ key: "a", value }] })),
  topologyKey: inPod(qualified, (topologyKey) => ({ topologySpreadConstraints: [{ maxSkew: 1, topologyKey, whenUnsatisfiable: "DoNotSchedule" }] })),
  affinityKey: inPod(qualified, (topologyKey) => ({ affinity: { podAntiAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey }] } } })),
  nodeSelectorTerm: inPod(part, (text, r) => ({ affinity: { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: [{ matchFields: [{ key: "metadata.name", operator: r.pick(["In", "Exists", "Gt"]), values: [text] }] }] } } } })),
  readinessGate: inPod(qualified, (conditionType) => ({ readinessGates: [{ conditionType }] })),
  schedulingGate: inPod(qualified, (name) => ({ schedulingGates: [{ name }] })),
  runtimeClassName: inPod(dotted, (runtimeClassName) => ({ runtimeClassName })),
  serviceAccountName: inPod(dotted, (serviceAccountName) => ({ serviceAccountName })),
  imagePullSecrets: inPod(dotted, (name) => ({ imagePullSecrets: [{ name }] })),
  podImage: inContainer(image, (image) => ({ image })),
  containerName: inContainer(part, (name) => ({ name })),
  envName: inContainer(envName, (name) => ({ env: [{ name, value: "1" }] })),
  envPrefix: inContainer(envName, (prefix) => ({ envFrom: [{ prefix, configMapRef: { name: "a" } }] })),
  fieldPath: inContainer(one("metadata.name", "metadata.labels", "metadata.labels['a']", "metadata.labels['a/b/c']", "metadata.annotations['A']", "metadata.annotations[a]", "metadata.annotations['']", "spec.nodeName", "status.podIP", "status.hostIP", "status.podIPs", "status.hostIPs", "metadata.uid", "spec.x", "", "metadata.name['a']", "status.phase", "spec.serviceAccountName", "metadata.labels['a", "metadata.namespace"), (fieldPath) => ({ env: [{ name: "A", valueFrom: { fieldRef: { fieldPath } } }] })),
  resourceField: inContainer(one("limits.cpu", "requests.memory", "limits.ephemeral-storage", "limits.x", "requests.hugepages-2Mi", "limits.hugepages-", "", "cpu", "requests.nvidia.com/gpu", "limits.hugepages-1Gi"), (resource) => ({ env: [{ name: "A", valueFrom: { resourceFieldRef: { containerName: "c", resource } } }] })),
  containerPort: inContainer(part, (name) => ({ ports: [{ containerPort: 80, name }] })),
  hostIP: inContainer(ip, (hostIP) => ({ ports: [{ containerPort: 80, hostIP }] })),
  mountPath: inPod(filePath, (mountPath) => ({ volumes: [{ name: "v", emptyDir: {} }], containers: [container({ volumeMounts: [{ name: "v", mountPath }] })] })),
  subPath: inPod(filePath, (text, r) => ({ volumes: [{ name: "v", emptyDir: {} }], containers: [container({ volumeMounts: [{ name: "v", mountPath: "/m", [r.pick(["subPath", "subPathExpr"])]: text }] })] })),
  devicePath: inPod(filePath, (devicePath) => ({ volumes: [{ name: "v", persistentVolumeClaim: { claimName: "a" } }], containers: [container({ volumeDevices: [{ name: "v", devicePath }] })] })),
  probePath: inContainer(urlPath, (path) => ({ livenessProbe: { httpGet: { path, port: 80 } } })),
  probeHeader: inContainer(headerName, (name) => ({ livenessProbe: { httpGet: { port: 80, httpHeaders: [{ name, value: "a" }] } } })),
  probePort: inContainer(part, (port) => ({ livenessProbe: { tcpSocket: { port } } })),
  limits: inContainer(resourceName, (text) => ({ resources: { limits: { [text]: "1" } } })),
  claimName: inContainer(part, (name) => ({ resources: { claims: [{ name }] } })),
  volumeName: inPod(part, (name) => ({ volumes: [{ name, emptyDir: {} }] })),
  itemPath: volume(filePath, (path) => ({ configMap: { name: "a", items: [{ key: "a", path }] } })),
  itemKey: volume(envName, (key) => ({ secret: { secretName: "a", items: [{ key, path: "a" }] } })),
  downwardPath: volume(filePath, (path) => ({ downwardAPI: { items: [{ path, fieldRef: { fieldPath: "metadata.name" } }] } })),
  tokenPath: volume(filePath, (path) => ({ projected: { sources: [{ serviceAccountToken: { path } }] } })),
  hostPath: volume(filePath, (path) => ({ hostPath: { path } })),
  hostPathType: volume(one("", "Directory", "directory", "File", "Socket", "X", "DirectoryOrCreate"), (type) => ({ hostPath: { path: "/a", type } })),
  nfs: volume(filePath, (path) => ({ nfs: { server: "a", path } })),
  gitRepo: volume(filePath, (directory) => ({ gitRepo: { repository: "a", directory } })),
  csiDriver: volume(dotted, (driver) => ({ csi: { driver } })),
  claim: volume(dotted, (claimName) => ({ persistentVolumeClaim: { claimName } })),
  webhookUrl: webhook(url, (url) => ({ clientConfig: { url } })),
  webhookPath: webhook(urlPath, (path) => ({ clientConfig: { service: { name: "a", namespace: "b", path } } })),
  webhookName: webhook(dotted, (name) => ({ name })),
  webhookRule: webhook(one("*", "*/*", "pods", "pods/*", "*/scale", "pods/log", "", "a/b/c", "Pods", "pods,services"), (text) => ({ rules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: [text] }] })),
  reviewVersion: webhook(part, (text) => ({ admissionReviewVersions: [text] })),
  provisioner: { path: "/apis/storage.k8s.io/v1/storageclasses", grammar: provisioner, object: (provisioner) => ({ provisioner }) },
  mountOptions: { path: "/apis/storage.k8s.io/v1/storageclasses", grammar: mountOption, object: (text) => ({ provisioner: "a/b", mountOptions: [text] }) },
  csiDriverName: { path: "/apis/storage.k8s.io/v1/csidrivers", grammar: dotted, object: (name) => ({ metadata: { name }, spec: {} }) },
  nonResourceURL: { path: "/apis/rbac.authorization.k8s.io/v1/clusterroles", grammar: urlPath, object: (text) => ({ rules: [{ verbs: ["get"], nonResourceURLs: [text] }] }) },
  ruleVerb: { path: "/apis/rbac.authorization.k8s.io/v1/clusterroles", grammar: verb, object: (text) => ({ rules: [{ verbs: [text], apiGroups: [""], resources: ["pods"] }] }) },
  roleName: { path: "/apis/rbac.authorization.k8s.io/v1/clusterroles", grammar: one("a:b", "a/b", "..", ".", "a%b", "A", "", "a b", "system:x", "é", "-"), object: (name) => ({ metadata: { name } }) },
  signerName: { path: "/apis/certificates.k8s.io/v1/certificatesigningrequests", grammar: signer, object: (signerName) => ({ spec: { signerName, request: "YQ==", usages: ["client auth"] } }) },
  quota: { path: `${core}/resourcequotas`, grammar: resourceName, object: (text) => ({ spec: { hard: { [text]: "1" } } }) },
  limitRange: { path: `${core}/limitranges`, grammar: resourceName, object: (text) => ({ spec: { limits: [{ type: "Container", max: { [text]: "1" } }] } }) },
  minAvailable: { path: `/apis/policy/v1/namespaces/${namespace}/poddisruptionbudgets`, grammar: percent, object: (minAvailable) => ({ spec: { minAvailable } }) },
  maxSurge: { path: `/apis/apps/v1/namespaces/${namespace}/deployments`, grammar: percent, object: (text, r) => ({ spec: { selector: { matchLabels: { a: "b" } }, template: pod({}, { labels: { a: "b" } }), strategy: { rollingUpdate: { [r.pick(["maxSurge", "maxUnavailable"])]: text } } } }) },
  podCIDR: { path: "/api/v1/nodes", grammar: cidr, object: (podCIDR) => ({ spec: { podCIDR } }) },
  taintKey: { path: "/api/v1/nodes", grammar: qualified, object: (key) => ({ spec: { taints: [{ key, effect: "NoSchedule" }] } }) },
  endpointIP: { path: `${core}/endpoints`, grammar: ip, object: (ip) => ({ subsets: [{ addresses: [{ ip }], ports: [{ port: 1 }] }] }) },
  sliceAddress: { path: `/apis/discovery.k8s.io/v1/namespaces/${namespace}/endpointslices`, grammar: either(ip, host), object: (text, r) => ({ addressType: r.pick(["IPv4", "IPv6", "FQDN"]), endpoints: [{ addresses: [text] }] }) },
  finalizer: { path: `${core}/configmaps`, grammar: qualified, object: (text) => ({ metadata: { finalizers: [text] } }) },
  labelKey: { path: `${core}/configmaps`, grammar: qualified, object: (text) => ({ metadata: { labels: { [text]: "a" } } }) },
  annotationKey: { path: `${core}/configmaps`, grammar: qualified, object: (text) => ({ metadata: { annotations: { [text]: "a" } } }) },
  dataKey: { path: `${core}/configmaps`, grammar: envName, object: (text) => ({ data: { [text]: "a" } }) },
  objectName: { path: `${core}/configmaps`, grammar: dotted, object: (name) => ({ metadata: { name } }) },
  generateName: { path: `${core}/configmaps`, grammar: dotted, object: (generateName) => ({ metadata: { name: "x", generateName } }) },
  serviceName: { path: `${core}/services`, grammar: part, object: (name) => ({ metadata: { name }, spec: { ports: [{ port: 1 }] } }) },
  namespaceName: { path: "/api/v1/namespaces", grammar: part, object: (name) => ({ metadata: { name } }) },
  apparmor: { path: `${core}/pods`, grammar: one("runtime/default", "unconfined", "localhost/a", "localhost/", "localhost", "x", "", "Runtime/default"), object: (text) => pod({}, { annotations: { "container.apparmor.security.beta.kubernetes.io/c": text } }) },
  seccompPath: inPod(filePath, (localhostProfile) => ({ securityContext: { seccompProfile: { type: "Localhost", localhostProfile } } })),
  priorityName: { path: "/apis/scheduling.k8s.io/v1/priorityclasses", grammar: either(dotted, one("system-a", "system-node-critical", "system-cluster-critical")), object: (name) => ({ metadata: { name }, value: 1 }) },
  handler: { path: "/apis/node.k8s.io/v1/runtimeclasses", grammar: part, object: (handler) => ({ handler }) },
  pvPath: { path: "/api/v1/persistentvolumes", grammar: filePath, object: (path, r) => ({ spec: { capacity: { storage: "1" }, accessModes: ["ReadWriteOnce"], ...(r.chance(0.5) ? { hostPath: { path } } : { local: { path }, nodeAffinity: { required: { nodeSelectorTerms: [{ matchExpressions: [{ key: "a", operator: "Exists" }] }] } } }) } }) },
  policyParam: { path: "/apis/admissionregistration.k8s.io/v1beta1/validatingadmissionpolicies", grammar: either(part, one("v1", "apps/v1", "a/b/c", "/v1", "apps/")), object: (apiVersion) => ({ spec: { paramKind: { apiVersion, kind: "A" }, matchConstraints: { resourceRules: [{ operations: ["CREATE"], apiGroups: [""], apiVersions: ["v1"], resources: ["pods"] }] }, validations: [{ expression: "true" }] } }) },
}; // biome-ignore format: a table
