import { get, type Step, send } from "../step.js";

const aggregated = "application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList";

/** Paths that lead to no resource: health, versions, documents. */
export function outsideResources(): readonly Step[] {
  const paths = ["/version", "/livez", "/healthz/ping", "/nothing", "/", "/api", "/apis/apps", "/openapi/v3/none"];
  return [
    ...paths.map((path) => get(path)),
    get("/api", { accept: aggregated }),
    get("/api", { accept: "application/json;g=apidiscovery.k8s.io;v=v9;as=APIGroupDiscoveryList" }),
    { ...get("/api", { accept: aggregated }), as: "anonymous" },
    { ...get("/healthz?verbose=1"), as: "anonymous" },
    send("POST", "/version", '{"secret":1}'),
    { method: "HEAD", path: "/livez" },
    { method: "PUT", path: "/nothing" },
    { method: "DELETE", path: "/livez" },
    get("/version", { accept: "image/png" }),
    get("//version"),
    get("/version/"),
    get("/version?a=%zz"),
    get("/readyz/ping?a=b%20c&d=e+f"),
    get("/healthz/none"),
    get("/livez?exclude=ping"),
    get("/.well-known/openid-configuration"),
    get("/openid/v1/jwks"),
    get("/openapi/v2?a=b", { accept: "image/png" }),
    get("/swagger.json"),
    get("/debug/none"),
    get("/nothing%00"),
    get("/%E2%82%AC"),
  ];
}
