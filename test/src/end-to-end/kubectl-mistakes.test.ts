import assert from "node:assert/strict";
import { describeKubectl, modern } from "../support/kubectl-matrix.js";
import { webDeployment } from "./sample-objects.js";

/** One thing that people do wrong, and what v1.29 has kubectl print on standard error. */
interface Mistake {
  readonly command: string;
  readonly stdin?: string;
  readonly says: string;
}

const configMap = (name: string): string => `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n`;

const lowerCaseName =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

const mistakes: readonly Mistake[] = [
  {
    command: "kubectl apply -f -",
    stdin: webDeployment.replace("replicas:", "replica:").replace("image:", "imagee:"),
    says: 'Error from server (BadRequest): error when creating "STDIN": Deployment in version "v1" cannot be handled as a Deployment: strict decoding error: unknown field "spec.replica", unknown field "spec.template.spec.containers[0].imagee"',
  },
  {
    command: "kubectl create -f -",
    stdin: "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: typed}\ndata: {a: 1}\n",
    says: 'Error from server (BadRequest): error when creating "STDIN": ConfigMap in version "v1" cannot be handled as a ConfigMap: json: cannot unmarshal number into Go struct field ConfigMap.data of type string',
  },
  {
    command: "kubectl create -f -",
    stdin: "apiVersion: v1\nkind: Pod\nmetadata: {name: shape}\nspec: {containers: web}\n",
    says: 'Error from server (BadRequest): error when creating "STDIN": Pod in version "v1" cannot be handled as a Pod: json: cannot unmarshal string into Go struct field PodSpec.spec.containers of type []v1.Container',
  },
  {
    command: "kubectl create -f -",
    stdin: "apiVersion: v1\nkind: Pod\nmetadata: {name: empty}\nspec: {containers: []}\n",
    says: 'The Pod "empty" is invalid: spec.containers: Required value',
  },
  {
    command: "kubectl create -f -",
    stdin:
      "apiVersion: v1\nkind: Pod\nmetadata: {name: policy}\nspec: {restartPolicy: Sometimes, containers: [{name: a, image: b}]}\n",
    says: 'The Pod "policy" is invalid: spec.restartPolicy: Unsupported value: "Sometimes": supported values: "Always", "OnFailure", "Never"',
  },
  {
    command: "kubectl create -f -",
    stdin: configMap("Upper_Case"),
    says: `The ConfigMap "Upper_Case" is invalid: metadata.name: Invalid value: "Upper_Case": ${lowerCaseName}`,
  },
  {
    command: "kubectl create -f -",
    stdin: "apiVersion: v1\nkind: ConfigMap\nmetadata: {}\n",
    says: 'The ConfigMap "" is invalid: metadata.name: Required value: name or generateName is required',
  },
  {
    command: "kubectl create -f -",
    stdin: "apiVersion: v1\nkind: Widget\nmetadata: {name: w}\n",
    says: 'error: resource mapping not found for name: "w" namespace: "" from "STDIN": no matches for kind "Widget" in version "v1"\nensure CRDs are installed first',
  },
  {
    command: "kubectl create -n nowhere -f -",
    stdin: configMap("a"),
    says: 'Error from server (NotFound): error when creating "STDIN": namespaces "nowhere" not found',
  },
  {
    command: "kubectl create configmap a -n nowhere",
    says: 'error: failed to create configmap: namespaces "nowhere" not found',
  },
  {
    command: "kubectl create namespace default",
    says: 'Error from server (AlreadyExists): namespaces "default" already exists',
  },
  {
    command: "kubectl delete namespace default",
    says: 'Error from server (Forbidden): namespaces "default" is forbidden: this namespace may not be deleted',
  },
  {
    command: "kubectl delete namespace kube-system",
    says: 'Error from server (Forbidden): namespaces "kube-system" is forbidden: this namespace may not be deleted',
  },
  { command: "kubectl get pods nothing", says: 'Error from server (NotFound): pods "nothing" not found' },
  { command: "kubectl get deploy nothing", says: 'Error from server (NotFound): deployments.apps "nothing" not found' },
  { command: "kubectl get nothing", says: 'error: the server doesn\'t have a resource type "nothing"' },
  {
    command: "kubectl get pods --field-selector=color=red",
    says: 'Error from server (BadRequest): Unable to find "/v1, Resource=pods" that match label selector "", field selector "color=red": field label not supported: color',
  },
  {
    command: "kubectl get pods -l a=b,,",
    says: 'Error from server (BadRequest): Unable to find "/v1, Resource=pods" that match label selector "a=b,,", field selector "": found \',\', expected: identifier after \',\'',
  },
  {
    command: `kubectl patch namespace default -p '{"metadata":{"labels":{"bad key":"x"}}}'`,
    says: `The Namespace "default" is invalid: metadata.labels: Invalid value: "bad key": name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')`,
  },
  {
    command: `kubectl patch namespace default -p '{"metadata":{"labels":{"a":1}}}'`,
    says: 'The request is invalid: patch: Invalid value: "map[metadata:map[labels:map[a:1]]]": cannot convert int64 to string',
  },
  {
    command: `kubectl patch namespace default --type=json -p '[{"op":"remove","path":"/spec/nothing"}]'`,
    says: "The request is invalid: the server rejected our request due to an error in our request",
  },
  {
    command: `kubectl patch namespace default -p '{"metadata":{"name":"other"}}'`,
    says: "Error from server (BadRequest): the name of the object (other) does not match the name on the URL (default)",
  },
  {
    command: "kubectl get --raw '/api/v1/pods?limit=many'",
    says: 'Error from server (BadRequest): strconv.ParseInt: parsing "many": invalid syntax',
  },
  {
    command: "kubectl get --raw '/api/v1/pods?continue=bm9uc2Vuc2U'",
    says: "Error from server (BadRequest): invalid continue token: continue key is not valid: invalid character 'o' in literal null (expecting 'u')",
  },
];

await describeKubectl("kubectl explains what is wrong", (matrix) => {
  for (const { command, stdin, says } of mistakes) {
    const input = stdin === undefined ? "" : ` with ${JSON.stringify(stdin.slice(0, 90))}`;
    matrix.test(`${command}${input}`, modern("chosen"), async ({ shell }) => {
      assert.equal(await shell.fails(command, stdin), `${says}\n`);
    });
  }

  matrix.test(
    "an unknown field is a warning, or nothing, when the client asks for that",
    modern("chosen"),
    async ({ shell }) => {
      const body = `${configMap("warned")}color: red\n`;
      const warned = await shell.run("kubectl create --validate=warn -f -", body);
      assert.deepEqual(warned, {
        code: 0,
        stdout: "configmap/warned created\n",
        stderr: 'Warning: unknown field "color"\n',
      });
      assert.equal(
        await shell.ok("kubectl create --validate=ignore -f -", body.replace("warned", "ignored")),
        "configmap/ignored created\n",
      );
      assert.equal(await shell.ok("kubectl get configmap ignored -o jsonpath='{.color}'"), "");
    },
  );

  matrix.test("a duplicate field is refused", modern("chosen"), async ({ shell }) => {
    const body = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"twice"},"data":{"a":"1","a":"2"}}';
    await shell.write("twice.json", body);
    const said = await shell.run("kubectl create -f twice.json");
    // kubectl itself reads the file and keeps the last of the two; the server sees one.
    assert.equal(said.code, 0, said.stderr);
    assert.equal(await shell.ok("kubectl get configmap twice -o jsonpath='{.data.a}'"), "2");
  });

  matrix.test("creating what is there is refused", modern("chosen"), async ({ shell }) => {
    await shell.ok("kubectl create -f -", configMap("a"));
    assert.equal(
      await shell.fails("kubectl create -f -", configMap("a")),
      'Error from server (AlreadyExists): error when creating "STDIN": configmaps "a" already exists\n',
    );
    assert.equal(
      await shell.fails("kubectl create configmap a"),
      'error: failed to create configmap: configmaps "a" already exists\n',
    );
  });

  matrix.test("replacing with an old resourceVersion is a conflict", modern("chosen"), async ({ shell }) => {
    await shell.ok("kubectl create configmap a --from-literal=x=1");
    await shell.write("old.yaml", await shell.ok("kubectl get configmap a -o yaml"));
    await shell.ok("kubectl label configmap a changed=yes");
    assert.equal(
      await shell.fails("kubectl replace -f old.yaml"),
      'Error from server (Conflict): error when replacing "old.yaml": Operation cannot be fulfilled on configmaps "a": the object has been modified; please apply your changes to the latest version and try again\n',
    );
    assert.equal(
      await shell.fails("kubectl replace -f -", configMap("nothing")),
      'Error from server (NotFound): error when replacing "STDIN": configmaps "nothing" not found\n',
    );
  });

  matrix.test(
    "an object that is going to be deleted cannot be created anew, nor in a namespace that ends",
    modern("newest"),
    async ({ shell, namespace }) => {
      const ending = `${namespace}-ending`;
      await shell.ok(`kubectl create namespace ${ending}`);
      await shell.ok(
        `kubectl create -n ${ending} -f -`,
        "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: guard, finalizers: [example.com/guard]}\n",
      );
      await shell.ok(`kubectl delete namespace ${ending} --wait=false`);
      assert.equal(
        await shell.fails(`kubectl create configmap late -n ${ending}`),
        `error: failed to create configmap: configmaps "late" is forbidden: unable to create new content in namespace ${ending} because it is being terminated\n`,
      );
      await shell.ok(`kubectl patch configmap guard -n ${ending} --type=merge -p '{"metadata":{"finalizers":null}}'`);
      await shell.ok(`kubectl wait --for=delete namespace/${ending} --timeout=120s`);
    },
  );
});
