import assert from "node:assert/strict";
import { describeKubectl, modern } from "../support/kubectl-matrix.js";
import { shopApplication, shopObjects } from "./shop-application.js";

/**
 * kubectl's patch for these is never empty: stringData is no part of what is stored, defaults appear in the items of an
 * atomic list, and a selector with the patch strategy "replace" is always sent. The server then writes nothing.
 */
const alwaysSent = ["secret/shop-database", "statefulset.apps/orders", "poddisruptionbudget.policy/shop"];

await describeKubectl("an application", (matrix) => {
  matrix.test("is applied from one file, read back, changed, and deleted", modern("chosen"), async ({ shell }) => {
    await shell.write("shop.yaml", shopApplication);
    const created = shopObjects.map((name) => `${name} created\n`).join("");
    assert.equal(await shell.ok("kubectl apply -f shop.yaml"), created);
    assert.equal(await shell.ok("kubectl diff -f shop.yaml"), "");
    // Controllers have their say first.
    await shell.ok("kubectl wait --for=jsonpath='{.status.observedGeneration}'=1 pdb/shop --timeout=30s");
    await shell.ok("kubectl wait --for=jsonpath='{.status.used.pods}'=0 resourcequota/shop --timeout=30s");
    const versions = `kubectl get -f shop.yaml -o jsonpath='{.items[*].metadata.resourceVersion}'`;
    const before = await shell.ok(versions);
    const again = await shell.ok("kubectl apply -f shop.yaml");
    assert.deepEqual(
      again.split("\n").filter((line) => line !== "" && !line.endsWith(" unchanged")),
      alwaysSent.map((name) => `${name} configured`),
    );
    assert.equal(await shell.ok(versions), before, "nothing was written");

    const of = "-l app.kubernetes.io/part-of=shop";
    const kinds = [...new Set(shopObjects.map((name) => name.split("/")[0]))].join(",");
    const found = (await shell.ok(`kubectl get ${kinds} ${of} -o name`)).trimEnd().split("\n");
    assert.deepEqual([...found].sort(), [...shopObjects].sort());
    assert.match(await shell.ok(`kubectl get ${kinds} ${of}`), /^NAME /);
    assert.equal(
      await shell.ok("kubectl get secret shop-database -o jsonpath='{.data.password}' | base64 -d"),
      "p@ss: word",
    );
    assert.equal(
      await shell.ok("kubectl get configmap shop-settings -o jsonpath='{.data.features\\.yaml}'"),
      "checkout: true\n\"off\": 'yes'\n",
    );
    for (const name of shopObjects) {
      assert.match(await shell.ok(`kubectl describe ${name}`), /^Name: /m);
    }

    await shell.write(
      "shop.yaml",
      shopApplication.replace("replicas: 3", "replicas: 4").replace("cpu: 250m", "cpu: 300m"),
    );
    assert.match(await shell.ok("kubectl apply -f shop.yaml"), /^deployment\.apps\/shop configured$/m);
    assert.equal(await shell.ok("kubectl get deploy shop -o jsonpath='{.metadata.generation}'"), "2");

    const deleted = (await shell.ok("kubectl delete -f shop.yaml")).trimEnd().split("\n");
    assert.equal(deleted.length, shopObjects.length);
    assert.equal(await shell.ok(`kubectl get ${kinds} ${of} -o name`), "");
  });
});
