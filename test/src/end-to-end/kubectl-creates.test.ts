import assert from "node:assert/strict";
import { describeKubectl, modern } from "../support/kubectl-matrix.js";

/** Arguments of `kubectl create` without a file, and the object that it reports as created. */
const generators: readonly { readonly args: string; readonly object: string }[] = [
  { args: "configmap one --from-literal=a=b --from-literal=c=d", object: "configmap/one" },
  { args: "secret generic one --from-literal=password=x", object: "secret/one" },
  {
    args: "secret docker-registry pull --docker-server=r.example --docker-username=u --docker-password=p",
    object: "secret/pull",
  },
  { args: "serviceaccount one", object: "serviceaccount/one" },
  { args: "deployment one --image=nginx:1.25 --replicas=2 --port=80", object: "deployment.apps/one" },
  { args: "job one --image=busybox:1.36 -- date", object: "job.batch/one" },
  { args: "cronjob one --image=busybox:1.36 --schedule='*/5 * * * *' -- date", object: "cronjob.batch/one" },
  { args: "job from-cron --from=cronjob/one", object: "job.batch/from-cron" },
  { args: "service clusterip one --tcp=80:8080", object: "service/one" },
  { args: "service clusterip headless --clusterip=None --tcp=80", object: "service/headless" },
  { args: "service nodeport two --tcp=80:8080", object: "service/two" },
  { args: "service loadbalancer three --tcp=80:8080", object: "service/three" },
  { args: "service externalname four --external-name=example.com", object: "service/four" },
  { args: "ingress one --rule='example.com/path*=one:80,tls=cert'", object: "ingress.networking.k8s.io/one" },
  { args: "quota one --hard=pods=10,requests.cpu=2", object: "resourcequota/one" },
  { args: "poddisruptionbudget one --selector=app=one --min-available=50%", object: "poddisruptionbudget.policy/one" },
  { args: "role one --verb=get,list --resource=pods,deployments.apps", object: "role.rbac.authorization.k8s.io/one" },
  {
    args: "rolebinding one --role=one --user=someone --serviceaccount=default:one",
    object: "rolebinding.rbac.authorization.k8s.io/one",
  },
];

/** Arguments for kinds without a namespace, whose names must differ from test to test. */
const clusterGenerators: readonly { readonly args: (name: string) => string; readonly kind: string }[] = [
  { args: (name) => `namespace ${name}`, kind: "namespace" },
  { args: (name) => `priorityclass ${name} --value=1000 --description=some`, kind: "priorityclass.scheduling.k8s.io" },
  { args: (name) => `clusterrole ${name} --verb=get --resource=nodes`, kind: "clusterrole.rbac.authorization.k8s.io" },
  {
    args: (name) => `clusterrolebinding ${name} --clusterrole=view --group=some`,
    kind: "clusterrolebinding.rbac.authorization.k8s.io",
  },
];

await describeKubectl("kubectl create", (matrix) => {
  matrix.test(
    "makes every kind that it has a command for, and describe shows each",
    modern("chosen"),
    async ({ shell, namespace }) => {
      for (const { args, object } of generators) {
        assert.equal(await shell.ok(`kubectl create ${args}`), `${object} created\n`);
        assert.match(await shell.ok(`kubectl describe ${object}`), /^Name: +\S+$/m);
      }
      for (const { args, kind } of clusterGenerators) {
        const name = `${namespace}-made`;
        assert.equal(await shell.ok(`kubectl create ${args(name)}`), `${kind}/${name} created\n`);
        assert.match(await shell.ok(`kubectl describe ${kind} ${name}`), new RegExp(`^Name: +${name}$`, "m"));
        assert.equal(
          await shell.ok(`kubectl delete ${kind} ${name}`),
          `${kind.includes(".") ? kind : "namespace"} "${name}" deleted\n`,
        );
      }
      const all = await shell.ok("kubectl get all -o name");
      for (const name of ["service/one", "deployment.apps/one", "cronjob.batch/one", "job.batch/from-cron"]) {
        assert.ok(all.split("\n").includes(name), all);
      }
    },
  );

  matrix.test("run starts a pod with the usual defaults", "every", async ({ shell }) => {
    assert.equal(
      await shell.ok("kubectl run one --image=nginx --port=80 --labels=app=one --env=A=b"),
      "pod/one created\n",
    );
    assert.match(await shell.ok("kubectl get pod one --no-headers"), /^one +0\/1 +Pending +0 +\d+m?s\n$/);
    const pod = JSON.parse(await shell.ok("kubectl get pod one -o json"));
    assert.equal(pod.status.phase, "Pending");
    assert.equal(pod.status.qosClass, "BestEffort");
    assert.equal(pod.spec.containers[0].imagePullPolicy, "Always");
    const described = await shell.ok("kubectl describe pod one");
    for (const line of [/^Status: +Pending$/m, /^ +Image: +nginx$/m, /^QoS Class: +BestEffort$/m, /^ +A: +b$/m]) {
      assert.match(described, line);
    }
  });

  matrix.test("dry runs make nothing, and client and server agree on the object", "chosen", async ({ shell }) => {
    assert.equal(
      await shell.ok("kubectl create deployment dry --image=nginx:1.25 --dry-run=server"),
      "deployment.apps/dry created (server dry run)\n",
    );
    assert.equal(
      await shell.ok("kubectl create deployment dry --image=nginx:1.25 --dry-run=client"),
      "deployment.apps/dry created (dry run)\n",
    );
    const answer = JSON.parse(
      await shell.ok("kubectl create deployment dry --image=nginx:1.25 --dry-run=server -o json"),
    );
    assert.equal(answer.spec.strategy.type, "RollingUpdate");
    assert.equal(answer.metadata.resourceVersion, undefined);
    assert.equal(
      await shell.fails("kubectl get deploy dry"),
      'Error from server (NotFound): deployments.apps "dry" not found\n',
    );
  });

  matrix.test("reads JSON, YAML, lists, folders and kustomizations", modern("newest"), async ({ shell }) => {
    await shell.ok("mkdir -p all/sub");
    const map = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;
    await shell.write("all/a.yaml", `${map("a")}---\n${map("b")}`);
    await shell.write(
      "all/c.json",
      '{"apiVersion":"v1","kind":"List","items":[{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"}}]}',
    );
    await shell.write("all/sub/d.yaml", map("d"));
    assert.equal(
      await shell.ok("kubectl create -R -f all"),
      ["a", "b", "c", "d"].map((name) => `configmap/${name} created\n`).join(""),
    );
    await shell.write(
      "kustomization.yaml",
      "resources: [all/sub/d.yaml]\nnamePrefix: my-\nlabels: [{pairs: {by: kustomize}}]\n",
    );
    assert.equal(await shell.ok("kubectl apply -k ."), "configmap/my-d created\n");
    assert.equal(await shell.ok("kubectl get configmap -l by=kustomize -o name"), "configmap/my-d\n");
  });

  matrix.test("makes unique names from generateName", "chosen", async ({ shell }) => {
    const body = "apiVersion: v1\nkind: ConfigMap\nmetadata: {generateName: part-}\n";
    const names = [await shell.ok("kubectl create -f -", body), await shell.ok("kubectl create -f -", body)];
    for (const name of names) {
      assert.match(name, /^configmap\/part-[bcdfghjklmnpqrstvwxz2456789]{5} created\n$/);
    }
    assert.notEqual(names[0], names[1]);
  });
});
