import { get, mediaHeaders, type Step, send } from "../step.js";

/** Paths and methods that lead to no resource, or to none that takes them. */
export function unserved(tag: string): readonly Step[] {
  const maps = `/api/v1/namespaces/${tag}/configmaps`;
  return [
    get("/apis/none.example.com/v1/things"),
    get(`/apis/none.example.com/v1/namespaces/${tag}/things/a/status`),
    send("POST", "/apis/none.example.com/v1/things", '{"a":1}'),
    { method: "DELETE", path: "/apis/none.example.com/v1/things" },
    get("/apis/none.example.com/v1/things?watch=1"),
    get("/apis/apps/v9/deployments"),
    get("/apis/none.example.com"),
    get(`/apis/apps/v1/namespaces/${tag}/things/a`),
    get(`${maps}/a/none`),
    send("PUT", `${maps}/a/status`, "{}"),
    { method: "HEAD", path: `${maps}/a` },
    { method: "HEAD", path: maps },
    { method: "HEAD", path: `${maps}/kube-root-ca.crt` },
    { method: "HEAD", path: "/api/v1" },
    { method: "OPTIONS", path: maps },
    { method: "OPTIONS", path: "/version" },
    { method: "TRACE", path: `${maps}/a` },
    { method: "PROPFIND", path: maps },
    { method: "POST", path: "/api/v1" },
    { method: "DELETE", path: "/api/v1" },
    send("PATCH", "/apis/apps/v1/none", "{}", mediaHeaders.merge),
    get(`${maps}/a%2Fb`),
    get(`${maps}/a%20b`),
    get(`${maps}/%C3%A4`),
    get(`${maps}/a;b=c`),
    get(`${maps}/..`),
    get(`${maps}/%2e%2e/secrets`),
    get(`${maps}/`),
    get(`${maps}//a`),
    get(`/api/v1/namespaces/${tag}/`),
    get("/api/v1/namespaces//configmaps?labelSelector=run%3Dnone"),
    get("/api//v1"),
    get("/apis//v1/things"),
    get("/api/v2/pods"),
    get("/API/v1/pods"),
  ];
}
