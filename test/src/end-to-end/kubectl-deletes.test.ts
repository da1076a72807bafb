import assert from "node:assert/strict";
import { describeKubectl, modern } from "../support/kubectl-matrix.js";
import type { KubectlShell } from "../support/kubectl-shell.js";
import { until } from "../support/until.js";
import { webDeployment } from "./sample-objects.js";

/** A Deployment and a ReplicaSet that it owns, as the deployment controller would have made it. */
async function createOwnerAndDependent(shell: KubectlShell): Promise<void> {
  await shell.ok("kubectl create -f -", webDeployment);
  const uid = await shell.ok("kubectl get deploy web -o jsonpath='{.metadata.uid}'");
  await shell.ok(
    "kubectl create -f -",
    `apiVersion: apps/v1
kind: ReplicaSet
metadata:
  name: web-1
  ownerReferences:
  - {apiVersion: apps/v1, kind: Deployment, name: web, uid: ${uid}, controller: true, blockOwnerDeletion: true}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "nginx:1.25"}]}}
`,
  );
}

const exists = async (shell: KubectlShell, object: string): Promise<boolean> =>
  (await shell.ok(`kubectl get ${object} --ignore-not-found -o name`)) !== "";

await describeKubectl("kubectl delete and wait", (matrix) => {
  matrix.test("delete in the background takes dependents along", "every", async ({ shell }) => {
    await createOwnerAndDependent(shell);
    assert.equal(await shell.ok("kubectl delete deploy web"), 'deployment.apps "web" deleted\n');
    await until("the dependent is collected", async () => !(await exists(shell, "rs/web-1")));
  });

  matrix.test("delete in the foreground waits for dependents", "chosen", async ({ shell }) => {
    await createOwnerAndDependent(shell);
    assert.equal(await shell.ok("kubectl delete deploy web --cascade=foreground"), 'deployment.apps "web" deleted\n');
    assert.equal(await exists(shell, "rs/web-1"), false, "gone before the owner");
  });

  matrix.test("delete with orphan leaves dependents without their owner", "chosen", async ({ shell }) => {
    await createOwnerAndDependent(shell);
    assert.equal(await shell.ok("kubectl delete deploy web --cascade=orphan"), 'deployment.apps "web" deleted\n');
    assert.equal(await shell.ok("kubectl get rs web-1 -o jsonpath='{.metadata.ownerReferences}'"), "");
    assert.equal(await exists(shell, "rs/web-1"), true);
  });

  matrix.test("delete waits for finalizers, unless told not to", "chosen", async ({ shell }) => {
    const guarded = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: guarded, finalizers: [example.com/guard]}\n";
    await shell.ok("kubectl create -f -", guarded);
    assert.equal(await shell.ok("kubectl delete configmap guarded --wait=false"), 'configmap "guarded" deleted\n');
    assert.notEqual(await shell.ok("kubectl get configmap guarded -o jsonpath='{.metadata.deletionTimestamp}'"), "");
    const waiting = shell.start("kubectl delete configmap guarded");
    await until("kubectl says that it deletes", () => waiting.stdout() !== "");
    await shell.ok(`kubectl patch configmap guarded --type=json -p '[{"op":"remove","path":"/metadata/finalizers"}]'`);
    const { code, stderr } = await waiting.ended;
    assert.deepEqual([code, stderr], [0, ""]);
    assert.equal(await exists(shell, "configmap/guarded"), false);
  });

  matrix.test(
    "delete takes names, selectors, files and --all, and can ignore what is not there",
    "chosen",
    async ({ shell }) => {
      for (const name of ["a", "b", "c", "d", "e"]) {
        await shell.ok(`kubectl create configmap ${name}`);
      }
      await shell.ok("kubectl label configmap c d group=one");
      assert.equal(await shell.ok("kubectl delete configmap a b"), 'configmap "a" deleted\nconfigmap "b" deleted\n');
      assert.equal(
        await shell.ok("kubectl delete configmap -l group=one"),
        'configmap "c" deleted\nconfigmap "d" deleted\n',
      );
      assert.equal(await shell.ok("kubectl delete configmap a --ignore-not-found"), "");
      assert.equal(
        await shell.fails("kubectl delete configmap a"),
        'Error from server (NotFound): configmaps "a" not found\n',
      );
      assert.equal(
        await shell.ok("kubectl delete configmap --field-selector=metadata.name!=kube-root-ca.crt"),
        'configmap "e" deleted\n',
      );
      assert.equal(await shell.ok("kubectl delete deploy --all"), "No resources found\n");
    },
  );

  matrix.test(
    "delete of a pod that runs nowhere is immediate, with or without --force",
    modern("chosen"),
    async ({ shell }) => {
      await shell.ok("kubectl run one --image=nginx");
      assert.equal(await shell.ok("kubectl delete pod one"), 'pod "one" deleted\n');
      await shell.ok("kubectl run two --image=nginx");
      const { code, stdout, stderr } = await shell.run("kubectl delete pod two --force --grace-period=0");
      assert.deepEqual([code, stdout], [0, 'pod "two" force deleted\n']);
      assert.match(stderr, /^Warning: Immediate deletion does not wait for confirmation/);
    },
  );

  matrix.test("delete of a namespace empties it", "every", async ({ shell, namespace }) => {
    const doomed = `${namespace}-doomed`;
    await shell.ok(`kubectl create namespace ${doomed}`);
    await shell.ok(`kubectl create configmap inside -n ${doomed}`);
    await shell.ok(`kubectl create -n ${doomed} -f -`, webDeployment);
    assert.equal(await shell.ok(`kubectl delete namespace ${doomed}`), `namespace "${doomed}" deleted\n`);
    assert.equal(
      await shell.fails(`kubectl get namespace ${doomed}`),
      `Error from server (NotFound): namespaces "${doomed}" not found\n`,
    );
    await shell.ok(`kubectl create namespace ${doomed}`);
    assert.equal(await shell.ok(`kubectl get deployments -n ${doomed} -o name`), "");
  });

  matrix.test("wait ends when a condition, a value or a deletion comes", modern("every"), async ({ shell }) => {
    await shell.ok("kubectl run one --image=nginx");
    assert.match(
      await shell.fails("kubectl wait --for=condition=Ready pod/one --timeout=1s"),
      /^error: timed out waiting for the condition on pods\/one\n$/,
    );
    const ready = shell.start("kubectl wait --for=condition=Ready pod/one --timeout=120s");
    const running = shell.start("kubectl wait --for=jsonpath='{.status.phase}'=Running pod/one --timeout=120s");
    const gone = shell.start("kubectl wait --for=delete pod/one --timeout=120s");
    const status = { phase: "Running", conditions: [{ type: "Ready", status: "True" }] };
    await shell.ok(`kubectl patch pod one --subresource=status -p '${JSON.stringify({ status })}'`);
    assert.deepEqual((await ready.ended).stdout, "pod/one condition met\n");
    assert.deepEqual((await running.ended).stdout, "pod/one condition met\n");
    await shell.ok("kubectl delete pod one");
    const { code, stdout, stderr } = await gone.ended;
    assert.deepEqual([code, stderr], [0, ""]);
    assert.ok(["pod/one condition met\n", ""].includes(stdout), stdout);
  });
});
