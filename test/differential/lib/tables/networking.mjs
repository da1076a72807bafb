// Kinds about networks, for tables.

import { anyText, labels, maybe, selector, several } from "./values.mjs";

const addresses = ["1.2.3.4", "1.2.3.5", "10.9.8.7", "172.16.0.1", "203.0.113.255", "fd00::1", "2001:db8::a:1"];
const hosts = ["a.example.com", "b.example.com", "very-long-name-of-a-host.example.com", "c.d"];

const balancer = (r, ports) => ({
  loadBalancer: {
    ingress: several(r, 4, () => ({
      ...r.pick([
        { ip: r.pick(addresses) },
        { hostname: r.pick(hosts) },
        { ip: r.pick(addresses), hostname: r.pick(hosts) },
        {},
      ]),
      ...maybe(r, 0.2, () => ({ ports })),
    })),
  },
});

const port = (r, i) => ({
  port: 80 + i,
  name: `p${i}`,
  ...maybe(r, 0.4, () => ({ protocol: r.pick(["TCP", "UDP", "SCTP"]) })),
  ...maybe(r, 0.3, () => ({ targetPort: r.pick([8080, "web"]) })),
});

function service(r, index) {
  const type = r.pick(["ClusterIP", "NodePort", "LoadBalancer", "ExternalName"]);
  const ports = [port(r, 0), ...several(r, 3, (_, i) => port(r, i + 1))];
  const spec = {
    type,
    ...maybe(r, 0.6, () => ({ selector: labels(r) })),
    ...maybe(r, 0.4, () => ({ externalIPs: r.some(addresses, 0.4) })),
  };
  switch (type) {
    case "ExternalName":
      return { ...spec, externalName: r.pick([...hosts.slice(2), "x"]), ...maybe(r, 0.4, () => ({ ports })) };
    case "ClusterIP":
      return r.chance(0.4) ? { ...spec, clusterIP: "None", ...maybe(r, 0.6, () => ({ ports })) } : { ...spec, ports };
    default:
      // A node port of its own for each Service, since those that are drawn by the servers differ.
      return { ...spec, ports: [{ ...ports[0], nodePort: 30000 + (index % 2700) }] };
  }
}

const endpointAddress = (r) => ({ ip: r.pick(addresses), ...maybe(r, 0.2, () => ({ hostname: "h" })) });

/** Kinds of the groups networking.k8s.io and discovery.k8s.io, and what core has of the sort. */
export const networkingKinds = [
  {
    paths: ["/api/v1/services"],
    kind: "Service",
    draws: 3,
    object: (r, { index }) => ({ spec: service(r, index) }),
    status: (r, { spec }) =>
      spec.type === "LoadBalancer" || r.chance(0.1) ? balancer(r, [{ port: 80, protocol: "TCP" }]) : {},
  },
  {
    paths: ["/api/v1/endpoints"],
    kind: "Endpoints",
    object: (r) => ({
      subsets: several(r, 3, () => ({
        addresses: several(r, 4, endpointAddress),
        ...maybe(r, 0.5, () => ({ notReadyAddresses: several(r, 2, endpointAddress) })),
        ...maybe(r, 0.7, () => ({ ports: several(r, 3, port).map(({ targetPort: _, ...rest }) => rest) })),
      })),
    }),
  },
  {
    paths: ["/apis/discovery.k8s.io/v1/endpointslices"],
    kind: "EndpointSlice",
    object: (r) => {
      const addressType = r.pick(["IPv4", "IPv6", "FQDN"]);
      const of = { IPv4: addresses.slice(0, 5), IPv6: addresses.slice(5), FQDN: ["a.example.com", "b.c", "c.d"] }[
        addressType
      ];
      return {
        addressType,
        endpoints: several(r, 4, () => ({
          addresses: r
            .some(of, 0.6)
            .concat(r.pick(of))
            .filter((a, i, all) => all.indexOf(a) === i),
          ...maybe(r, 0.4, () => ({ conditions: { ready: r.pick([true, false, null]) } })),
        })),
        ...maybe(r, 0.8, () => ({
          ports: several(r, 5, (_, i) => ({
            ...(i === 0 && r.chance(0.5) ? {} : { name: `n${i}` }),
            ...maybe(r, 0.6, () => ({ port: r.pick([0, 80 + i, 65535]) })),
          })),
        })),
      };
    },
  },
  {
    paths: ["/apis/networking.k8s.io/v1/ingresses"],
    kind: "Ingress",
    draws: 2,
    object: (r) => ({
      metadata: { annotations: maybe(r, 0.3, () => ({ "kubernetes.io/ingress.class": "old" })) },
      spec: {
        defaultBackend: { service: { name: "s", port: { number: 80 } } },
        ...maybe(r, 0.5, () => ({ ingressClassName: r.pick(["nginx", "a.b"]) })),
        ...maybe(r, 0.9, () => ({
          rules: several(r, 6, () => maybe(r, 0.75, () => ({ host: r.pick([...hosts, "*.example.com"]) }))),
        })),
        ...maybe(r, 0.4, () => ({ tls: several(r, 2, () => maybe(r, 0.5, () => ({ hosts: ["a.b"] }))) })),
      },
    }),
    status: (r) => balancer(r, [{ port: 443, protocol: "TCP" }]),
  },
  {
    paths: ["/apis/networking.k8s.io/v1/ingressclasses"],
    kind: "IngressClass",
    isOfCluster: true,
    object: (r) => ({
      spec: {
        controller: r.pick(["example.com/a", "a.b/c/d", "example.com/A"]),
        ...maybe(r, 0.7, () => ({
          parameters: {
            kind: r.pick(["K", "ConfigMap"]),
            name: "p",
            ...maybe(r, 0.5, () => ({ apiGroup: r.pick(["k.example.com", "", "apps"]) })),
            ...r.pick([{}, { scope: "Cluster" }, { scope: "Namespace", namespace: "n" }]),
          },
        })),
      },
    }),
  },
  {
    paths: ["/apis/networking.k8s.io/v1/networkpolicies"],
    kind: "NetworkPolicy",
    object: (r) => ({ spec: { podSelector: selector(r) } }),
  },
  {
    paths: ["/apis/networking.k8s.io/v1alpha1/ipaddresses"],
    kind: "IPAddress",
    isOfCluster: true,
    name: (index) => `10.77.${(index >> 8) & 255}.${index & 255}`,
    object: (r) => ({
      spec: {
        parentRef: {
          resource: r.pick(["services", "Widgets", "ÀB"]),
          name: r.pick(["s", "a.b", anyText(r)]),
          ...maybe(r, 0.5, () => ({ group: r.pick(["Example.com", "example.com", ""]) })),
          ...maybe(r, 0.5, () => ({ namespace: r.pick(["default", "a b", ""]) })),
        },
      },
    }),
  },
  {
    paths: ["/apis/networking.k8s.io/v1alpha1/servicecidrs"],
    kind: "ServiceCIDR",
    isOfCluster: true,
    object: (r) => ({ spec: { cidrs: r.pick([["10.8.0.0/24"], ["10.8.0.0/24", "fd00::/112"], ["fd00::/112"]]) } }),
    status: (r) => maybe(r, 0.5, () => ({ conditions: [] })),
  },
];
