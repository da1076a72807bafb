import { merge, one, post, put, quiet, tryOut } from "../admission-pods/objects.mjs";
import { settle } from "../admission-steps.mjs";
import { certificate, requests } from "../certificate-requests.mjs";
import { Random } from "../random.mjs";
import { by, people, permissions } from "./people.mjs";

const path = "/apis/certificates.k8s.io/v1/certificatesigningrequests";
const signers = {
  a: "example.com/a",
  b: "example.org/b",
  c: "example.net/c",
  client: "kubernetes.io/kube-apiserver-client",
  kubelet: "kubernetes.io/kube-apiserver-client-kubelet",
  serving: "kubernetes.io/kubelet-serving",
  legacy: "kubernetes.io/legacy-unknown",
};
const usages = {
  [signers.kubelet]: ["client auth", "digital signature", "key encipherment"],
  [signers.serving]: ["server auth", "digital signature"],
};
const condition = (type, more = {}) => ({ type, status: "True", reason: "r", message: "m", ...more });

const spec = (signerName, request) => ({ request, signerName, usages: usages[signerName] ?? ["client auth"] });

/** Requests by the signer they are for, that the cases below try to approve and to sign. */
function* asked() {
  yield one(
    "requests of people",
    ...permissions(),
    ...Object.entries(signers).map(([name, signer]) =>
      quiet(post(path, { metadata: { name: `adm-${name}` }, spec: spec(signer, requests.nodes) })),
    ),
    settle,
  );
}

export function* approvalCases() {
  yield* asked();
  for (const name of Object.keys(signers)) {
    const at = `${path}/adm-${name}/approval?dryRun=All`;
    const whole = (conditions) => ({
      metadata: { name: `adm-${name}` },
      spec: spec(signers[name], requests.nodes),
      status: { conditions },
    });
    for (const person of people) {
      yield one(
        `${person} approves for ${signers[name]}`,
        by(person, merge(at, { status: { conditions: [condition("Approved")] } })),
        by(person, merge(at, { status: { conditions: [condition("Denied")] } })),
        by(person, merge(at, { status: { conditions: [condition("Approved"), condition("Denied")] } })),
        by(person, merge(at, { status: { conditions: [condition("Approved", { status: "False" })] } })),
        by(person, merge(at, { metadata: { labels: { a: "b" } } })),
        by(person, merge(at, { spec: { signerName: "example.net/c" }, status: { certificate } })),
        by(person, put(at, whole([condition("Approved")]))),
      );
    }
  }
}

export function* signingCases() {
  for (const name of Object.keys(signers)) {
    const at = `${path}/adm-${name}/status?dryRun=All`;
    const whole = (status) => ({
      metadata: { name: `adm-${name}` },
      spec: spec(signers[name], requests.nodes),
      status,
    });
    for (const person of people) {
      yield one(
        `${person} signs for ${signers[name]}`,
        by(person, merge(at, { status: { certificate } })),
        by(person, merge(at, { status: { certificate: "bm90IFBFTQ==" } })),
        by(person, merge(at, { status: { conditions: [condition("Failed")] } })),
        by(person, merge(at, { status: { conditions: [condition("Approved")] } })),
        by(person, merge(at, { metadata: { labels: { a: "b" } }, status: { conditions: [] } })),
        by(person, put(at, whole({}))),
        by(person, put(at, whole({ certificate, conditions: [condition("Failed")] }))),
      );
    }
  }
}

/**
 * Yields certificate signing requests with various subjects: no permission allows every name in a client certificate.
 */
export function* subjectCases() {
  const random = new Random(35);
  const spoilt = { empty: "", broken: "AAAA", cut: requests.masters.slice(0, 80), text: "bm90IFBFTQ==" };
  const subjects = { ...requests, ...spoilt };
  for (let index = 0; index < 300; index++) {
    const signer = random.pick([signers.client, signers.client, ...Object.values(signers), "wrong", ""]);
    const subject = random.pick([...Object.keys(requests), ...Object.keys(subjects)]);
    const more = random.chance(0.3) ? { expirationSeconds: random.pick([0, 600, 86400]) } : {};
    if (random.chance(0.2)) more.usages = random.some(["client auth", "server auth", "signing"]);
    // What a client says of itself is not believed.
    if (random.chance(0.2)) Object.assign(more, { username: "x", groups: ["system:masters"], uid: "y" });
    const body = { metadata: { name: `adm-s${index}` }, spec: { ...spec(signer, subjects[subject]), ...more } };
    yield one(`subject ${subject} ${index}`, by(random.pick(people), tryOut(path, body)));
  }
}
