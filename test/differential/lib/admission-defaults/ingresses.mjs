import { inNamespace, merge, namespace, one, post, put, quiet, send, tryOut } from "../admission-pods/objects.mjs";
import { settle } from "../admission-steps.mjs";
import { Random } from "../random.mjs";

const ns = "adm-ingress";
const ingresses = inNamespace(ns, "ingresses", "/apis/networking.k8s.io/v1");
const classes = "/apis/networking.k8s.io/v1/ingressclasses";
const isDefault = "ingressclass.kubernetes.io/is-default-class";
const byAnnotation = "kubernetes.io/ingress.class";
const backend = { service: { name: "s", port: { number: 80 } } };

/** Annotations of the classes, in the order in which they are made. */
const settings = [
  {},
  { only: "true" },
  { plain: "false", only: "true" },
  { b: "true", a: "true" },
  { a: "TRUE", b: "yes" },
];

function randomIngress(random, index) {
  const metadata = random.chance(0.1) ? { generateName: "gen-" } : { name: `i${index}` };
  if (random.chance(0.35)) metadata.annotations = { [random.pick([byAnnotation, "other"])]: random.pick(["", "only"]) };
  const spec = random.chance(0.9) ? { defaultBackend: backend } : {};
  if (random.chance(0.4)) spec.ingressClassName = random.pick(["only", "missing", "", null, "Not A Name"]);
  if (random.chance(0.3)) {
    spec.rules = [
      { host: "a.example", http: { paths: [{ path: "/", pathType: random.pick(["Prefix", "Exact"]), backend }] } },
    ];
  }
  return { metadata, spec };
}

export function* ingressCases() {
  const random = new Random(32);
  yield one("ingresses", namespace(ns));
  for (const [index, annotations] of settings.entries()) {
    const made = Object.entries(annotations).map(([name, value]) =>
      quiet(
        post(classes, {
          metadata: { name: `adm-${name}`, annotations: { [isDefault]: value } },
          spec: { controller: "a.b/c" },
        }),
      ),
    );
    yield one(`ingress classes ${JSON.stringify(annotations)}`, ...made, settle);
    for (let at = 0; at < 46; at++) yield one(`ingress ${index} ${at}`, tryOut(ingresses, randomIngress(random, at)));
    const path = `${ingresses}/kept${index}`;
    yield one(
      `changes of ingress ${index}`,
      post(ingresses, { metadata: { name: `kept${index}` }, spec: { defaultBackend: backend } }),
      put(path, { metadata: { name: `kept${index}` }, spec: { defaultBackend: backend } }),
      merge(path, { spec: { ingressClassName: "other" } }),
      merge(path, { spec: { ingressClassName: null }, metadata: { annotations: { [byAnnotation]: "other" } } }),
      merge(`${path}/status`, { status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } } }),
    );
    yield one(
      `no ingress classes ${index}`,
      ...Object.keys(annotations).map((name) => quiet(send("DELETE", `${classes}/adm-${name}`))),
      settle,
    );
  }
}
