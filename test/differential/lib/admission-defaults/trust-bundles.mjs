import { merge, one, post, put, quiet, send, tryOut } from "../admission-pods/objects.mjs";
import { settle } from "../admission-steps.mjs";
import { certificate } from "../certificate-requests.mjs";
import { by, people } from "./people.mjs";

const path = "/apis/certificates.k8s.io/v1alpha1/clustertrustbundles";
const trustBundle = Buffer.from(certificate, "base64").toString();
const signers = ["example.com/a", "example.org/b", "example.net/c", "kubernetes.io/kube-apiserver-client", ""];
const bundle = (name, signerName, metadata = {}) => ({
  metadata: { name, ...metadata },
  spec: { trustBundle, ...(signerName === "" ? {} : { signerName }) },
});
const dry = "?dryRun=All";

export function* trustBundleCases() {
  const named = (signer, name) => (signer === "" ? `adm-${name}` : `${signer.replace("/", ":")}:${name}`);
  yield one(
    "bundles",
    ...signers.map((signer) =>
      quiet(post(path, bundle(named(signer, "kept"), signer, { finalizers: ["a.b/c"], labels: { a: "b" } }))),
    ),
    settle,
  );
  for (const signer of signers) {
    const at = `${path}/${named(signer, "kept")}${dry}`;
    const same = { finalizers: ["a.b/c"], labels: { a: "b" } };
    for (const person of people) {
      yield one(
        `${person} attests for ${signer}`,
        by(person, tryOut(path, bundle(named(signer, "new"), signer))),
        by(person, tryOut(path, bundle("adm-other", signer))),
        by(person, tryOut(path, bundle(named("example.net/c", "new"), signer))),
        by(person, put(at, bundle(named(signer, "kept"), signer, same))),
        by(person, put(at, bundle(named(signer, "kept"), "example.net/c", same))),
        by(person, merge(at, { metadata: { labels: { a: "c" } } })),
        by(person, merge(at, { metadata: { finalizers: null } })),
        by(person, merge(at, { metadata: { finalizers: null, labels: { a: "c" } } })),
        by(person, merge(at, { spec: { trustBundle: `${trustBundle}${trustBundle}` } })),
        by(person, send("DELETE", at)),
        by(person, send("DELETE", path + dry)),
      );
    }
  }
}
