// Writes server/bundle/bootstrap-objects.json: what a control plane stores when it has started for the first time, as far as
// it is the same in all clusters. The control plane starts here to make it, unless nothing of it has changed. Servers on
// a new store write these objects at once (server/src/assembly/bootstrap-objects.ts). Usage, after bundle.mjs:
// node scripts/write-bootstrap-objects.mjs
import { generateKeyPairSync } from "node:crypto";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";

const bundle = fileURLToPath(new URL("../server/bundle/", import.meta.url));
const file = join(bundle, "bootstrap-objects.json");

/** Resources whose objects are the same in all clusters, by the beginnings of their keys. */
const prefixes = [
  ...["apiregistration.k8s.io/apiservices/", "clusterrolebindings/", "clusterroles/", "flowschemas/", "namespaces/"],
  ...["priorityclasses/", "prioritylevelconfigurations/", "rolebindings/", "roles/"],
];

const timeMark = "0001-01-01T00:00:00Z";
const uidMark = "00000000-0000-0000-0000-000000000000";

/** Time in milliseconds without a write after which everything has been made. */
const settledAfterMs = 700;
const timeLimitMs = 60_000;

/** The names of bundled files carry a hash of what they hold, so they tell whether it has changed. */
const madeBy = readdirSync(bundle)
  .filter((name) => name.endsWith(".cjs"))
  .sort();

if (!isFresh()) {
  rmSync(file, { force: true });
  const objects = await objectsOfNewCluster();
  writeFileSync(`${file}.new`, JSON.stringify({ madeBy, timeMark, uidMark, objects }));
  renameSync(`${file}.new`, file);
}

function isFresh() {
  try {
    return JSON.stringify(JSON.parse(readFileSync(file, "utf8")).madeBy) === JSON.stringify(madeBy);
  } catch {
    return false; // There is none, or half of one.
  }
}

async function objectsOfNewCluster() {
  const { startInProcess } = await import("../server/bundle/in-process.js");
  const folder = mkdtempSync(join(tmpdir(), "gatehouse-build-"));
  const keyFile = join(folder, "service-accounts.key");
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  writeFileSync(keyFile, privateKey.export({ type: "sec1", format: "pem" }), { mode: 0o600 });
  let log = "";
  const argv = [
    ...[`--data-dir=${join(folder, "data")}`, `--cert-dir=${join(folder, "certs")}`, "--secure-port=0"],
    ...["--bind-address=127.0.0.1", "--authorization-mode=RBAC", "--controllers=kube-apiserver"],
    ...["--service-account-issuer=https://kubernetes.default.svc", `--service-account-signing-key-file=${keyFile}`],
    ...[`--service-account-key-file=${keyFile}`, "--unsafe-no-fsync"],
  ];
  const server = startInProcess(argv, { writeLog: (line) => (log += line) });
  try {
    await server.serving;
    const giveUpAt = Date.now() + timeLimitMs;
    for (;;) {
      const { revision } = await server.image();
      await sleep(settledAfterMs);
      const image = await server.image();
      if ((await server.isReady()) && image.revision === revision) {
        return objectsIn(image);
      }
      if (Date.now() > giveUpAt) {
        throw new Error(`the control plane does not come to rest:\n${log}`);
      }
    }
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the objects by their keys, with marks for what each cluster has of its own. */
function objectsIn({ tree }) {
  const objects = {};
  tree.forEachPair((key, { value }) => {
    const name = key.slice("/registry/".length);
    if (prefixes.some((prefix) => name.startsWith(prefix))) {
      objects[name] = withMarks(value.toString());
    }
  });
  return objects;
}

function withMarks(json) {
  const { uid } = JSON.parse(json).metadata;
  return json.replaceAll(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, timeMark).replaceAll(uid, uidMark);
}
