import assert from "node:assert/strict";
import { describeKubectl, modern } from "../support/kubectl-matrix.js";
import { until } from "../support/until.js";
import { configMaps, webDeployment } from "./sample-objects.js";

await describeKubectl("kubectl reads", (matrix) => {
  matrix.test("version tells the server's version without a warning about skew", "every", async ({ shell }) => {
    const { stdout, code } = await shell.run("kubectl version");
    assert.equal(code, 0);
    assert.match(stdout, /^Server Version: .*v1\.29\.\d+\+gatehouse/m);
    const { serverVersion } = JSON.parse((await shell.run("kubectl version -o json")).stdout);
    assert.deepEqual([serverVersion.major, serverVersion.minor], ["1", "29"]);
  });

  matrix.test(
    "api-versions, api-resources and cluster-info show what is served",
    "every",
    async ({ shell, server }) => {
      const versions = (await shell.ok("kubectl api-versions")).trimEnd().split("\n");
      for (const version of ["v1", "apps/v1", "autoscaling/v2", "batch/v1", "networking.k8s.io/v1", "policy/v1"]) {
        assert.ok(versions.includes(version), `${version} is missing from ${versions.join(" ")}`);
      }
      assert.deepEqual([...versions].sort(), versions);
      const apps = await shell.ok("kubectl api-resources --api-group=apps --no-headers");
      assert.deepEqual(
        apps
          .trimEnd()
          .split("\n")
          .map((line) => line.split(/\s+/).join(" ")),
        [
          "controllerrevisions apps/v1 true ControllerRevision",
          "daemonsets ds apps/v1 true DaemonSet",
          "deployments deploy apps/v1 true Deployment",
          "replicasets rs apps/v1 true ReplicaSet",
          "statefulsets sts apps/v1 true StatefulSet",
        ],
      );
      const names = await shell.ok("kubectl api-resources --verbs=list,watch --namespaced=false -o name");
      assert.ok(names.split("\n").includes("namespaces"));
      assert.ok(names.split("\n").includes("clusterroles.rbac.authorization.k8s.io"));
      const info = await shell.ok("kubectl cluster-info");
      assert.ok(info.includes(server.url), info);
    },
  );

  matrix.test("explain describes kinds and fields", modern("every"), async ({ shell }) => {
    const strategy = await shell.ok("kubectl explain deployment.spec.strategy");
    assert.match(strategy, /^KIND: +Deployment$/m);
    assert.match(strategy, /rollingUpdate\t<RollingUpdateDeployment>/);
    const tree = await shell.ok("kubectl explain pods --recursive");
    assert.match(tree, /^ +containers\t<\[\]Container>/m);
    assert.match(tree, /^ +imagePullPolicy\t<string>/m);
    assert.match(await shell.ok("kubectl explain hpa --api-version=autoscaling/v1"), /^VERSION: +v1$/m);
    assert.match(await shell.fails("kubectl explain pods.spec.nope"), /field "nope" does not exist/);
  });

  matrix.test("get prints every output format", "chosen", async ({ shell, namespace }) => {
    await shell.ok("kubectl create -f -", webDeployment);
    const lines = async (command: string): Promise<string[]> =>
      (await shell.ok(command))
        .trimEnd()
        .split("\n")
        .map((line) => line.replace(/\s+/g, " ").trimEnd());
    const [header, row] = await lines("kubectl get deployments");
    assert.equal(header, "NAME READY UP-TO-DATE AVAILABLE AGE");
    assert.match(row ?? "", /^web 0\/2 0 0 \d+m?s$/);
    const [wideHeader, wideRow] = await lines("kubectl get deploy web -o wide");
    assert.equal(wideHeader, "NAME READY UP-TO-DATE AVAILABLE AGE CONTAINERS IMAGES SELECTOR");
    assert.match(wideRow ?? "", /^web 0\/2 0 0 \d+m?s web nginx:1\.25 app=web$/);
    assert.equal(await shell.ok("kubectl get deploy -o name"), "deployment.apps/web\n");
    assert.equal(await shell.ok("kubectl get deploy web -o jsonpath='{.spec.replicas}'"), "2");
    assert.equal(
      await shell.ok("kubectl get deploy -o jsonpath='{.items[?(@.spec.replicas>1)].metadata.name}'"),
      "web",
    );
    assert.equal(
      await shell.ok("kubectl get deploy -o go-template='{{range .items}}{{.metadata.name}} {{.kind}}{{end}}'"),
      "web Deployment",
    );
    assert.deepEqual(
      await lines(
        "kubectl get deploy -o custom-columns=NAME:.metadata.name,IMAGE:.spec.template.spec.containers[0].image",
      ),
      ["NAME IMAGE", "web nginx:1.25"],
    );
    assert.deepEqual((await lines("kubectl get deploy --show-labels --no-headers"))[0]?.split(" ").at(-1), "app=web");
    assert.match((await lines("kubectl get deploy -L app"))[0] ?? "", /AGE APP$/);
    const object = JSON.parse(await shell.ok("kubectl get deploy web -o json"));
    assert.equal(object.metadata.namespace, namespace);
    assert.equal(object.spec.template.spec.containers[0].resources.requests.cpu, "500m");
    const yaml = await shell.ok("kubectl get deploy web -o yaml");
    assert.match(yaml, /^apiVersion: apps\/v1\nkind: Deployment\nmetadata:\n/);
    assert.match(yaml, /^ {2}progressDeadlineSeconds: 600$/m);
    assert.deepEqual(await lines("kubectl get deploy,configmap -o name"), [
      "deployment.apps/web",
      "configmap/kube-root-ca.crt",
    ]);
    assert.match((await lines(`kubectl get deployments.v1.apps -A`))[1] ?? "", /web 0\/2 0 0/);
  });

  matrix.test("get follows label and field selectors, sorts, and pages", "chosen", async ({ shell }) => {
    await shell.ok("kubectl create -f -", configMaps(25));
    const names = async (options: string): Promise<string[]> =>
      (await shell.ok(`kubectl get configmaps -o name ${options}`))
        .trimEnd()
        .split("\n")
        .filter((line) => line !== "");
    assert.equal((await names("-l tier=even")).length, 13);
    assert.equal((await names("-l 'tier!=even'")).length, 13, "kube-root-ca.crt has no such label");
    assert.equal((await names("-l 'tier in (odd),number notin (1,3)'")).length, 10);
    assert.equal((await names("-l '!tier'")).length, 1);
    assert.equal((await names("-l tier -l number")).length, 25);
    assert.deepEqual(await names("--field-selector metadata.name=item-7"), ["configmap/item-7"]);
    assert.deepEqual(await names("-l tier=odd --field-selector metadata.name=item-8"), []);
    assert.deepEqual(await names("-l 'number in (1,2)' --sort-by='{.metadata.labels.tier}'"), [
      "configmap/item-2",
      "configmap/item-1",
    ]);
    const all = await names("--chunk-size=0");
    assert.equal(all.length, 26);
    assert.deepEqual(await names("--chunk-size=7"), all);
    const verbose = await shell.run("kubectl get configmaps --chunk-size=7 -v=6");
    assert.equal(verbose.stderr.match(/limit=7/g)?.length, 4, verbose.stderr);
  });

  matrix.test("get --watch prints what happens until it is stopped", "every", async ({ shell }) => {
    const watch = shell.start("kubectl get configmaps --watch --output-watch-events -l watched=yes");
    await shell.ok("kubectl create configmap seen --from-literal=a=b");
    // An object that begins to match is ADDED for this watch, whether it is listed or watched first.
    await shell.ok("kubectl label configmap seen watched=yes");
    await until("the watch shows the object", () => /^ADDED +seen/m.test(watch.stdout()));
    await shell.ok("kubectl label configmap seen more=yes");
    await until("the watch shows the change", () => /^MODIFIED +seen/m.test(watch.stdout()));
    await shell.ok("kubectl delete configmap seen");
    await until("the watch shows the deletion", () => /^DELETED +seen/m.test(watch.stdout()));
    const { stdout, stderr } = await watch.stop("SIGINT");
    assert.match(stdout, /^EVENT +NAME +DATA +AGE\n/);
    assert.equal(stderr, "");
  });

  matrix.test("get --raw reads any path", "every", async ({ shell, namespace }) => {
    assert.equal(JSON.parse(await shell.ok("kubectl get --raw /version")).minor, "29");
    assert.equal(await shell.ok("kubectl get --raw /readyz"), "ok");
    assert.match(await shell.ok("kubectl get --raw '/readyz?verbose'"), /^\[\+\]ping ok\n/);
    const list = JSON.parse(
      await shell.ok(`kubectl get --raw '/api/v1/namespaces/${namespace}/serviceaccounts?limit=5'`),
    );
    assert.equal(list.kind, "ServiceAccountList");
    assert.match(await shell.ok("kubectl get --raw /metrics"), /^apiserver_request_total\{/m);
    assert.equal(
      await shell.fails("kubectl get --raw /no/such/path"),
      "Error from server (NotFound): the server could not find the requested resource\n",
    );
  });
});
