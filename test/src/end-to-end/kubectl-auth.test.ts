import assert from "node:assert/strict";
import { fileURLToPath } from "node:url";
import { describeKubectl, modern } from "../support/kubectl-matrix.js";

const plugin = fileURLToPath(new URL("kubectl-gatehouse/main.js", import.meta.resolve("@gatehouse/deploy")));
const why = `${process.execPath} ${plugin} why`;

const rbac = (verbs: string): string => `
apiVersion: rbac.authorization.k8s.io/v1
kind: Role
metadata: {name: readers}
rules:
- {apiGroups: [""], resources: [pods, pods/log], verbs: [${verbs}]}
- {apiGroups: [apps], resources: [deployments], resourceNames: [web], verbs: [get, patch]}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: dev-reads}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: readers}
subjects:
- {apiGroup: rbac.authorization.k8s.io, kind: Group, name: dev}
`;

await describeKubectl(
  "kubectl under roles",
  ({ test }) => {
    test(
      "auth can-i answers for oneself and for others, one by one and as a list",
      modern("chosen"),
      async ({ shell }) => {
        assert.equal(await shell.ok("kubectl auth can-i delete nodes 2>/dev/null"), "yes\n");
        await shell.ok("kubectl apply -f -", rbac("get, list"));
        const ann = "--as ann --as-group dev --as-group system:authenticated";
        assert.equal(await shell.ok(`kubectl auth can-i list pods ${ann}`), "yes\n");
        assert.equal(await shell.ok(`kubectl auth can-i get pods --subresource=log ${ann}`), "yes\n");
        assert.equal(await shell.ok(`kubectl auth can-i patch deployments.apps/web ${ann}`), "yes\n");
        assert.equal((await shell.run(`kubectl auth can-i patch deployments.apps/other ${ann}`)).stdout, "no\n");
        assert.equal((await shell.run(`kubectl auth can-i delete pods ${ann}`)).stdout, "no\n");
        assert.equal((await shell.run(`kubectl auth can-i get /metrics ${ann}`)).stdout, "no\n");
        const lines = (await shell.ok(`kubectl auth can-i --list --no-headers ${ann}`)).trim().split("\n");
        assert.deepEqual(lines.map((line) => line.trim().split(/\s{2,}/)).slice(0, 6), [
          ["selfsubjectreviews.authentication.k8s.io", "[]", "[]", "[create]"],
          ["selfsubjectaccessreviews.authorization.k8s.io", "[]", "[]", "[create]"],
          ["selfsubjectrulesreviews.authorization.k8s.io", "[]", "[]", "[create]"],
          ["pods/log", "[]", "[]", "[get list]"],
          ["pods", "[]", "[]", "[get list]"],
          ["deployments.apps", "[]", "[web]", "[get patch]"],
        ]);
        const denied = await shell.fails(`kubectl delete pod x ${ann}`);
        assert.match(
          denied,
          /^Error from server \(Forbidden\): pods "x" is forbidden: User "ann" cannot delete resource "pods"/,
        );
      },
    );

    test("auth reconcile makes roles and bindings, and gives them what they lack", modern("chosen"), async (given) => {
      const { shell, namespace } = given;
      // What is reconciled must say where it is.
      const placed = (verbs: string): string =>
        rbac(verbs).replaceAll("metadata: {", `metadata: {namespace: ${namespace}, `);
      const made = await shell.ok("kubectl auth reconcile -f - 2>/dev/null", placed("get"));
      assert.match(made, /^role\.rbac\.authorization\.k8s\.io\/readers reconciled\n/);
      assert.match(made, /rolebinding\.rbac\.authorization\.k8s\.io\/dev-reads reconciled\n/);
      await shell.ok("kubectl auth reconcile -f - 2>/dev/null", placed("list"));
      const verbs = await shell.ok("kubectl get role readers -o jsonpath='{.rules[*].verbs}'");
      assert.equal(verbs, '["get"] ["get","patch"] ["list"] ["list"]');
    });

    test(
      "gatehouse why tells which rule allows, and what came closest",
      modern("newest"),
      async ({ shell, namespace }) => {
        await shell.ok("kubectl apply -f -", rbac("get, list"));
        const here = `in the namespace "${namespace}"`;
        const source = `RoleBinding "dev-reads/${namespace}" of Role "readers" to Group "dev"`;
        const pods = '{APIGroups:[""], Resources:["pods" "pods/log"], Verbs:["get" "list"]}';
        assert.equal(
          await shell.ok(`${why} list po --user ann --group dev`),
          `allowed: "ann" can list pods ${here}\n  ${source}: rule ${pods}\n`,
        );
        const denied = await shell.run(`${why} delete pods x --user ann --group dev`);
        assert.deepEqual([denied.code, denied.stderr], [1, ""]);
        assert.equal(
          denied.stdout,
          `denied: "ann" cannot delete pods "x" ${here}
What came closest:
  ${source}: rule ${pods}, but it has the verbs ["get" "list"], not "delete"
`,
        );
        const named = await shell.run(`${why} get deploy other --user ann --group dev`);
        assert.match(named.stdout, /but it is for the names \["web"\], not "other"\n$/);
        const stranger = await shell.run(`${why} get nodes --user bob`);
        assert.equal(
          stranger.stdout,
          'denied: "bob" cannot get nodes at the cluster scope\n  No binding names this user.\n',
        );
        assert.equal(
          await shell.ok(`${why} get /metrics`),
          'allowed: "kubernetes-admin" can get path "/metrics"\n  ClusterRoleBinding "cluster-admin" of ClusterRole "cluster-admin" to Group "system:masters": rule {NonResourceURLs:["*"], Verbs:["*"]}\n',
        );
      },
    );
  },
  ["--authorization-mode=Node,RBAC"],
);
