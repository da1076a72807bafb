import { repeated, type StallRequest, stallNamespace } from "./stall-request.js";

/** Objects that are as large as a body may be, most of them invalid in every part. */
export const bodyRequests: readonly StallRequest[] = [
  create("a Pod with 1,000,000 empty containers", "pods", () => pod(`"containers":[${list(1_000_000, "{}")}]`)),
  create("a Pod with 500,000 empty volumes", "pods", () =>
    pod(`"containers":[{"name":"c","image":"i"}],"volumes":[${list(500_000, "{}")}]`),
  ),
  create("a Pod with 100,000 containers", "pods", () =>
    pod(`"containers":[${list(100_000, '{"name":"c#","image":"i"}')}]`),
  ),
  create("a Pod with 80,000 resource limits", "pods", () =>
    pod(`"containers":[{"name":"c","image":"i","resources":{"limits":{${list(80_000, '"example.com/r#":"1"')}}}}]`),
  ),
  create("a Service with 40,000 node ports", "services", () =>
    object(
      "Service",
      "",
      `"spec":{"type":"NodePort","ports":[${list(40_000, '{"name":"p#","port":80,"nodePort":#}')}]}`,
    ),
  ),
  create("a Service with 20,000 ports", "services", () =>
    object("Service", "", `"spec":{"ports":[${list(20_000, '{"name":"p#","port":80,"targetPort":#}')}]}`),
  ),
  create("a Pod with 50,000 small quantities", "pods", () =>
    pod(`"containers":[{"name":"c","image":"i","resources":{"limits":{${list(50_000, '"example.com/r#":"1n"')}}}}]`),
  ),
  create("a Pod with 50,000 quantities with fractions", "pods", () =>
    pod(`"containers":[{"name":"c","image":"i","resources":{"limits":{${list(50_000, '"example.com/r#":"0.00#"')}}}}]`),
  ),
  create("20,000 ownerReferences", "configmaps", () => {
    const reference = '{"apiVersion":"v1","kind":"ConfigMap","name":"n#","uid":"00000000-0000-4000-8000-000000000000"}';
    return object("ConfigMap", `,"ownerReferences":[${list(20_000, reference)}]`, '"data":{}');
  }),
  create("150,000 invalid labels", "configmaps", () =>
    object("ConfigMap", `,"labels":{${list(150_000, '"!#":"!"')}}`, '"data":{}'),
  ),
  create("150,000 invalid data keys", "configmaps", () =>
    object("ConfigMap", "", `"data":{${list(150_000, '"!#":"v"')}}`),
  ),
];

function create(name: string, resource: string, makeBody: () => string): StallRequest {
  return {
    name: `create: ${name}`,
    prepare() {
      const body = Buffer.from(makeBody());
      // Not stored: some are valid, and would be in the way of the next.
      const path = `/api/v1/namespaces/${stallNamespace}/${resource}?dryRun=All`;
      const headers = { "content-type": "application/json" };
      return (target) => target.send({ method: "POST", path, headers, body });
    },
  };
}

function pod(spec: string): string {
  return object("Pod", "", `"spec":{${spec}}`);
}

function object(kind: string, metadata: string, rest: string): string {
  return `{"apiVersion":"v1","kind":"${kind}","metadata":{"name":"stall"${metadata}},${rest}}`;
}

function list(count: number, item: string): string {
  return repeated(count, `${item},`).slice(0, -1);
}
