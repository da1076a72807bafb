import assert from "node:assert/strict";
import { describeKubectl, modern } from "../support/kubectl-matrix.js";

await describeKubectl("kubectl looks after nodes", (matrix) => {
  matrix.test(
    "cordon, taint, drain and uncordon a node that somebody made up",
    modern("chosen"),
    async ({ shell, namespace }) => {
      const node = `node-${namespace}`;
      const spec = (field: string): Promise<string> =>
        shell.ok(`kubectl get node ${node} -o jsonpath='{.spec.${field}}'`);
      await shell.ok("kubectl create -f -", `apiVersion: v1\nkind: Node\nmetadata: {name: ${node}}\n`);
      const status = { conditions: [{ type: "Ready", status: "True" }], nodeInfo: { kubeletVersion: "v1.29.0" } };
      await shell.ok(`kubectl patch node ${node} --subresource=status -p '${JSON.stringify({ status })}'`);
      assert.match(
        await shell.ok(`kubectl get node ${node} --no-headers`),
        /^\S+ +Ready +<none> +\d+m?s +v1\.29\.0\n$/,
      );

      assert.equal(await shell.ok(`kubectl cordon ${node}`), `node/${node} cordoned\n`);
      assert.match(await shell.ok(`kubectl get node ${node} --no-headers`), / Ready,SchedulingDisabled /);
      assert.equal(await shell.ok(`kubectl taint nodes ${node} dedicated=web:NoSchedule`), `node/${node} tainted\n`);
      assert.match(await spec('taints[?(@.key=="dedicated")]'), /"value":"web"/);
      assert.equal(await shell.ok(`kubectl taint nodes ${node} dedicated-`), `node/${node} untainted\n`);

      const pod = (name: string): string => `apiVersion: v1
kind: Pod
metadata: {name: ${name}, labels: {app: drained}}
spec: {nodeName: ${node}, containers: [{name: a, image: "nginx:1.25"}], terminationGracePeriodSeconds: 0}
`;
      await shell.ok("kubectl create -f -", pod("bare"));
      const refused = await shell.run(`kubectl drain ${node}`);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /cannot delete Pods (that )?declare no controller \(use --force to override\)/);
      const drained = await shell.run(`kubectl drain ${node} --force --grace-period=0`);
      assert.equal(drained.code, 0, drained.stderr);
      assert.match(drained.stdout, new RegExp(`^pod/bare evicted\nnode/${node} drained$`, "m"));
      assert.equal(await shell.ok("kubectl get pod bare --ignore-not-found"), "");

      assert.equal(await shell.ok(`kubectl uncordon ${node}`), `node/${node} uncordoned\n`);
      assert.equal(await spec("unschedulable"), "");
      assert.match(await shell.ok(`kubectl describe node ${node}`), /^Unschedulable: +false$/m);
      assert.equal(await shell.ok(`kubectl delete node ${node}`), `node "${node}" deleted\n`);
    },
  );
});
