import { Random } from "../random.mjs";
import { inNamespace, merge, namespace, one, pod, post, quiet, tryOut } from "./objects.mjs";

const prefix = "pod-security.kubernetes.io/";
const label = (labels) => Object.fromEntries(Object.entries(labels).map(([key, value]) => [prefix + key, value]));
const versions = [
  "v1.0",
  "v1.7",
  "v1.8",
  "v1.18",
  "v1.19",
  "v1.21",
  "v1.22",
  "v1.23",
  "v1.24",
  "v1.25",
  "v1.26",
  "v1.27",
  "v1.28",
  "v1.29",
  "v1.30",
  "v1.999",
  "latest",
];
const levels = ["baseline", "restricted"];

const ofPod = [
  { hostNetwork: true },
  { hostPID: true, hostIPC: true },
  { hostUsers: false },
  { os: { name: "windows" } },
  { securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } } },
  { securityContext: { runAsNonRoot: false } },
  { securityContext: { runAsUser: 0 } },
  { securityContext: { runAsUser: 7 } },
  { securityContext: { seccompProfile: { type: "Unconfined" } } },
  { securityContext: { seccompProfile: { type: "Localhost", localhostProfile: "p" } } },
  { securityContext: { seLinuxOptions: { type: "spc_t", user: "u" } } },
  { securityContext: { seLinuxOptions: { type: "container_t", role: "r" } } },
  { securityContext: { seLinuxOptions: { level: "s0" } } },
  {
    securityContext: {
      sysctls: [
        { name: "kernel.shm_rmid_forced", value: "1" },
        { name: "net.ipv4.ip_local_reserved_ports", value: "1" },
      ],
    },
  },
  {
    securityContext: {
      sysctls: [
        { name: "net.ipv4.tcp_keepalive_time", value: "1" },
        { name: "kernel.msgmax", value: "1" },
      ],
    },
  },
  { securityContext: { windowsOptions: { hostProcess: true } }, hostNetwork: true },
  {
    volumes: [
      { name: "v", hostPath: { path: "/" } },
      { name: "w", nfs: { server: "s", path: "/" } },
    ],
  },
  {
    volumes: [
      { name: "v", emptyDir: {} },
      { name: "w", iscsi: { targetPortal: "1.2.3.4:1", iqn: "iqn.2001-04.com.example:x", lun: 0 } },
    ],
  },
  {
    volumes: [
      { name: "g", gitRepo: { repository: "r" } },
      { name: "f", fc: { wwids: ["w"] } },
    ],
  },
  {
    volumes: [
      {
        name: "e",
        ephemeral: {
          volumeClaimTemplate: { spec: { accessModes: ["ReadWriteOnce"], resources: { requests: { storage: "1" } } } },
        },
      },
    ],
  },
];
const strict = { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } };
const ofContainer = [
  {},
  { securityContext: strict },
  { securityContext: { ...strict, runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } } },
  { securityContext: { ...strict, runAsNonRoot: false } },
  { securityContext: { privileged: true } },
  { securityContext: { ...strict, runAsUser: 0 } },
  { securityContext: { allowPrivilegeEscalation: true } },
  { securityContext: { capabilities: { add: ["NET_ADMIN", "CHOWN"], drop: ["ALL"] } } },
  { securityContext: { capabilities: { add: ["NET_BIND_SERVICE", "SYS_TIME", "NET_RAW"], drop: ["KILL"] } } },
  { securityContext: { procMount: "Unmasked" } },
  { securityContext: { procMount: "Default" } },
  { securityContext: { seccompProfile: { type: "Unconfined" } } },
  { securityContext: { seLinuxOptions: { type: "bad_t" } } },
  { securityContext: { seLinuxOptions: { user: "u", role: "r", type: "container_kvm_t" } } },
  {
    ports: [
      { containerPort: 80, hostPort: 80 },
      { containerPort: 81, hostPort: 8080 },
    ],
  },
];
const annotations = [
  { "container.apparmor.security.beta.kubernetes.io/a": "unconfined" },
  { "container.apparmor.security.beta.kubernetes.io/a": "localhost/p" },
  { "seccomp.security.alpha.kubernetes.io/pod": "unconfined" },
  { "container.seccomp.security.alpha.kubernetes.io/a": "unconfined" },
];

/** Later ones win; contexts are put together. */
function together(parts) {
  const all = Object.assign({}, ...parts);
  const contexts = parts.flatMap(({ securityContext }) => securityContext ?? []);
  return contexts.length === 0 ? all : { ...all, securityContext: Object.assign({}, ...contexts) };
}

function template(random, extra = 1) {
  const pick = (list, probability) => together(list.filter(() => random.chance(probability)));
  const container = (name) => ({
    name,
    image: "i",
    ...together(Array.from({ length: 1 + random.int(2) }, () => random.pick(ofContainer))),
  });
  const spec = { containers: [container("a")], ...pick(ofPod, 0.06 * extra) };
  if (random.chance(0.5)) spec.containers.push(container("b"));
  if (random.chance(0.4)) spec.initContainers = [container("i")];
  const metadata = random.chance(0.15) ? { annotations: random.pick(annotations) } : {};
  return { metadata, spec };
}

function* workloads(random, ns, index) {
  const made = template(random);
  const labelled = { ...made, metadata: { ...made.metadata, labels: { a: "b" } } };
  const jobTemplate = { ...made, spec: { ...made.spec, restartPolicy: "Never" } };
  const selector = { matchLabels: { a: "b" } };
  const meta = { metadata: { name: `w${index}` } };
  const [apps, batch] = ["/apis/apps/v1", "/apis/batch/v1"];
  yield [inNamespace(ns, "deployments", apps), { ...meta, spec: { selector, template: labelled } }];
  yield [inNamespace(ns, "replicasets", apps), { ...meta, spec: { selector, template: labelled } }];
  yield [inNamespace(ns, "daemonsets", apps), { ...meta, spec: { selector, template: labelled } }];
  yield [inNamespace(ns, "statefulsets", apps), { ...meta, spec: { selector, serviceName: "s", template: labelled } }];
  yield [inNamespace(ns, "jobs", batch), { ...meta, spec: { template: jobTemplate } }];
  yield [
    inNamespace(ns, "cronjobs", batch),
    { ...meta, spec: { schedule: "* * * * *", jobTemplate: { spec: { template: jobTemplate } } } },
  ];
  yield [inNamespace(ns, "replicationcontrollers"), { ...meta, spec: { selector: { a: "b" }, template: labelled } }];
  yield [inNamespace(ns, "podtemplates"), { ...meta, template: labelled }];
}

export function* podSecurityCases() {
  const random = new Random(16);
  const spaces = [];
  for (const level of levels) {
    for (const version of versions) {
      const name = `adm-ps-${level}-${version.replaceAll(".", "-")}`;
      spaces.push(name);
      yield one(name, namespace(name, { labels: label({ enforce: level, "enforce-version": version }) }));
    }
  }
  const told = {
    "adm-ps-warn": { warn: "restricted", audit: "baseline" },
    "adm-ps-both": { enforce: "baseline", warn: "restricted", "warn-version": "v1.24" },
    "adm-ps-half": { enforce: "restricted", "warn-version": "v1.18" },
    "adm-ps-privileged": { enforce: "privileged" },
  };
  for (const [name, labels] of Object.entries(told)) {
    spaces.push(name);
    yield one(name, namespace(name, { labels: label(labels) }));
  }
  // Every control by itself, at the newest version and at one from the middle.
  for (const level of levels) {
    for (const version of ["latest", "v1-18", "v1-22"]) {
      const path = inNamespace(`adm-ps-${level}-${version}`, "pods");
      for (const [index, spec] of ofPod.entries())
        yield one(
          `${level} ${version} pod ${index}`,
          tryOut(path, pod("p", { ...spec, containers: [{ name: "c", image: "i", securityContext: strict }] })),
        );
      for (const [index, more] of ofContainer.entries())
        yield one(
          `${level} ${version} container ${index}`,
          tryOut(path, pod("p", { containers: [{ name: "c", image: "i", ...more }] })),
        );
      for (const [index, some] of annotations.entries())
        yield one(`${level} ${version} annotations ${index}`, tryOut(path, pod("p", {}, { annotations: some })));
    }
  }
  for (let index = 0; index < 300; index++) {
    const ns = random.pick(spaces);
    const { metadata, spec } = template(random);
    const name = random.chance(0.1) ? { generateName: "gen-" } : {};
    yield one(
      `${ns} ${index}`,
      tryOut(inNamespace(ns, "pods"), pod(name.generateName ? undefined : `p${index}`, spec, { ...metadata, ...name })),
    );
  }
  for (let index = 0; index < 12; index++) {
    const ns = random.pick([
      "adm-ps-warn",
      "adm-ps-both",
      "adm-ps-restricted-latest",
      "adm-ps-half",
      "adm-ps-privileged",
    ]);
    for (const [path, body] of workloads(random, ns, index)) yield one(`${path} ${index}`, tryOut(path, body));
  }
  yield* namespaceCases(random);
}

function* namespaceCases(random) {
  const values = {
    enforce: ["privileged", "baseline", "restricted", "none", ""],
    version: ["latest", "v1.20", "v1.0", "v1.01", "1.20", "v2.0", "v1.99", ""],
  };
  const draw = () => {
    const labels = {};
    for (const mode of ["enforce", "audit", "warn"]) {
      if (random.chance(0.5)) labels[mode] = random.pick(values.enforce);
      if (random.chance(0.3)) labels[`${mode}-version`] = random.pick(values.version);
    }
    return label(labels);
  };
  const ns = "adm-ps-existing";
  yield one(ns, namespace(ns));
  const owner = (uid) => ({
    ownerReferences: [{ apiVersion: "apps/v1", kind: "ReplicaSet", name: "r", uid, controller: true }],
  });
  for (let index = 0; index < 14; index++) {
    const { metadata, spec } = template(random, 0.5);
    yield one(
      `existing ${index}`,
      quiet(
        post(
          inNamespace(ns, "pods"),
          pod(`e${index}`, spec, {
            ...metadata,
            ...(index % 3 === 0 ? owner("aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa") : {}),
          }),
        ),
      ),
    );
  }
  for (let index = 0; index < 60; index++) {
    yield one(`labels ${index}`, tryOut("/api/v1/namespaces", { metadata: { name: `adm-l${index}`, labels: draw() } }));
  }
  for (let index = 0; index < 60; index++) {
    const gone = Object.fromEntries(
      ["enforce", "audit", "warn"].flatMap((mode) => [
        [`${prefix}${mode}`, null],
        [`${prefix}${mode}-version`, null],
      ]),
    );
    const path = `/api/v1/namespaces/${ns}${random.chance(0.5) ? "?dryRun=All" : ""}`;
    yield one(`relabel ${index}`, merge(path, { metadata: { labels: { ...gone, ...draw() } } }));
  }
  const spaces = ["adm-ps-updates"];
  yield one(
    "updates",
    namespace(spaces[0]),
    quiet(
      post(
        inNamespace(spaces[0], "pods"),
        pod("u", { containers: [{ name: "c", image: "i", securityContext: { privileged: true } }] }),
      ),
    ),
    quiet(merge(`/api/v1/namespaces/${spaces[0]}`, { metadata: { labels: label({ enforce: "baseline" }) } })),
  );
  const path = inNamespace(spaces[0], "pods/u");
  yield one("update without a new image", merge(path, { metadata: { labels: { a: "b" } } }));
  yield one(
    "update with a new image",
    merge(path, { spec: { containers: [{ name: "c", image: "j", securityContext: { privileged: true } }] } }),
  );
  yield one(
    "ephemeral container",
    merge(`${path}/ephemeralcontainers`, {
      spec: { ephemeralContainers: [{ name: "e", image: "i", securityContext: { privileged: true } }] },
    }),
  );
  yield one("status", merge(`${path}/status`, { status: { phase: "Running" } }));
}
