import type { JsonArray, JsonObject } from "@gatehouse/envelopes";
import { isSet, listAt, objectAt, textAt, valueAt } from "../objects/json-fields.js";
import { objectAge } from "./duration.js";
import { labelSelector } from "./labels.js";
import { loadBalancerAddresses } from "./load-balancer.js";
import { ageColumn, column, nameColumn, type TableDefinition } from "./table-definition.js";
import { andMore, scalarText } from "./text-lists.js";

const maxHosts = 3;

const ingress: TableDefinition = {
  columns: [
    nameColumn,
    column("Class", "string", "Ingress class that serves the ingress."),
    column("Hosts", "string", "Host names of the rules."),
    column("Address", "string", "Addresses of the load balancer."),
    column("Ports", "string", "Ports on which the ingress is served."),
    ageColumn,
  ],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      scalarText(valueAt(object, "spec", "ingressClassName"), "<none>"),
      ingressHosts(listAt(object, "spec", "rules")),
      loadBalancerAddresses(listAt(object, "status", "loadBalancer", "ingress")).join(","),
      listAt(object, "spec", "tls").length > 0 ? "80, 443" : "80",
      objectAge(object, context),
    ];
  },
};

/** The number of hidden hosts counts rules, with or without a host: so clients have always seen it. */
function ingressHosts(rules: JsonArray): string {
  const hosts: string[] = [];
  let more = false;
  for (const rule of rules) {
    const host = textAt(rule, "host");
    if (hosts.length === maxHosts) {
      more = true;
    } else if (host !== "") {
      hosts.push(host);
    }
  }
  if (hosts.length === 0) {
    return "*";
  }
  return more ? andMore(hosts.join(","), rules.length - maxHosts) : hosts.join(",");
}

const ingressClass: TableDefinition = {
  columns: [
    nameColumn,
    column("Controller", "string", "Controller that serves ingresses of the class."),
    column("Parameters", "string", "Object with more settings for the controller."),
    ageColumn,
  ],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      textAt(object, "spec", "controller"),
      classParameters(object),
      objectAge(object, context),
    ];
  },
};

function classParameters(object: JsonObject): string {
  if (!isSet(object, "spec", "parameters")) {
    return "<none>";
  }
  const parameters = objectAt(object, "spec", "parameters");
  const group = isSet(parameters, "apiGroup") ? `.${textAt(parameters, "apiGroup")}` : "";
  return `${textAt(parameters, "kind")}${group}/${textAt(parameters, "name")}`;
}

const networkPolicy: TableDefinition = {
  columns: [nameColumn, column("Pod-Selector", "string", "Pods to which the policy applies."), ageColumn],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      labelSelector(valueAt(object, "spec", "podSelector")),
      objectAge(object, context),
    ];
  },
};

const ipAddress: TableDefinition = {
  columns: [nameColumn, column("ParentRef", "string", "The object that uses the address.")],
  cells(object, context) {
    // v1.29 sends the age, too, although no column announces it.
    return [textAt(object, "metadata", "name"), parentReference(object), objectAge(object, context)];
  },
};

function parentReference(object: JsonObject): string {
  if (!isSet(object, "spec", "parentRef")) {
    return "<none>";
  }
  const parent = objectAt(object, "spec", "parentRef");
  const group = textAt(parent, "group");
  const resource = textAt(parent, "resource");
  const namespace = textAt(parent, "namespace");
  return [
    (group === "" ? resource : `${resource}.${group}`).toLowerCase(),
    ...(namespace === "" ? [] : [namespace]),
    textAt(parent, "name"),
  ].join("/");
}

const serviceCIDR: TableDefinition = {
  columns: [nameColumn, column("CIDRs", "string", "Address ranges for services."), ageColumn],
  cells(object, context) {
    return [
      textAt(object, "metadata", "name"),
      listAt(object, "spec", "cidrs").map(String).join(","),
      objectAge(object, context),
    ];
  },
};

export const networkingTables: Readonly<Record<string, TableDefinition>> = {
  IPAddress: ipAddress,
  Ingress: ingress,
  IngressClass: ingressClass,
  NetworkPolicy: networkPolicy,
  ServiceCIDR: serviceCIDR,
};
