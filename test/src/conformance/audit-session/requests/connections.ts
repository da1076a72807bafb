import { get, type Step, send } from "../step.js";

const websocket = {
  connection: "Upgrade",
  upgrade: "websocket",
  "sec-websocket-version": "13",
  "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
  "sec-websocket-protocol": "v5.channel.k8s.io",
};
const spdy = { connection: "Upgrade", upgrade: "SPDY/3.1", "x-stream-protocol-version": "v4.channel.k8s.io" };

/** Requests that would be forwarded to a kubelet or a pod, if there were one. */
export function connections(tag: string): readonly Step[] {
  const pod = `/api/v1/namespaces/${tag}/pods/none`;
  const service = `/api/v1/namespaces/${tag}/services`;
  return [
    get(`${pod}/log`),
    get(`${pod}/log?follow=true`),
    { method: "POST", path: `${pod}/exec?command=ls` },
    get(`${pod}/exec?command=ls&stdout=1`),
    get(`${pod}/exec?command=ls&stdout=1`, websocket),
    { method: "POST", path: `${pod}/exec?command=ls&stdout=1`, headers: spdy },
    { method: "POST", path: `${pod}/attach?stdout=1` },
    get(`${pod}/attach`, websocket),
    { method: "POST", path: `${pod}/portforward` },
    { method: "POST", path: `${pod}/portforward`, headers: spdy },
    get(`${pod}/portforward?ports=80`),
    get(`${pod}/portforward?ports=80`, websocket),
    ...["GET", "POST", "PUT", "PATCH", "DELETE"].map((method): Step => {
      return { method, path: `${pod}/proxy/a/b?c=d` };
    }),
    get(`${pod}/proxy/a`, websocket),
    get(`${pod}:8080/proxy/`),
    get(`${service}/none/proxy`),
    get(`${service}/https:none:443/proxy/a`),
    { method: "DELETE", path: `${service}/none/proxy/a` },
    get("/api/v1/nodes/none/proxy/stats"),
    send("POST", "/api/v1/nodes/none/proxy/run", '{"a":1}'),
    get(`/api/v1/proxy/namespaces/${tag}/pods/none`),
    get(`${pod}/exec?command=ls`, { "impersonate-user": "bob" }),
    { method: "POST", path: `${pod}/exec?command=ls`, as: "jane" },
    { method: "POST", path: `${pod}/exec?command=ls`, as: "anonymous" },
    { method: "POST", path: `${pod}/attach`, as: "jane" },
    { ...get(`${pod}/exec?command=ls`, websocket), as: "nobody" },
  ];
}
