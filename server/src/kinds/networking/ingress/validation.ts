import type { KindValidation } from "@gatehouse/apiserver/registry";
import {
  FieldErrors,
  FieldPath,
  hostNameProblems,
  parseIp,
  validateFormat,
  validateHostNameOfStatus,
  validateNoAddress,
} from "@gatehouse/apiserver/validation";
import { goQuote, goSlice, listAsSent } from "@gatehouse/envelopes/go";
import { isSet, type JsonObject, listAt, objectAt, textAt, textsAt } from "@gatehouse/envelopes/json";
import { validateSubdomainName } from "@gatehouse/envelopes/validation";
import { validateIngressBackend } from "./ingress-backend.js";
import { validateHttpRule } from "./ingress-paths.js";

const specPath = FieldPath.of("spec");
const statusPath = FieldPath.of("status").child("loadBalancer").child("ingress");
const classAnnotation = "kubernetes.io/ingress.class";

/** Errors that an older version allowed and the object that is replaced has. */
interface Leniency {
  readonly secretNames: boolean;
  readonly wildcardRules: boolean;
}

/** Rules of Ingress: hosts and paths, and the services behind them. */
export const ingressValidation: KindValidation = {
  create(ingress, errors) {
    validateSpec(objectAt(ingress, "spec"), errors, { secretNames: false, wildcardRules: false });
    validateClassAnnotation(ingress, errors);
  },
  update(ingress, old, errors) {
    const oldSpec = objectAt(old, "spec");
    validateSpec(objectAt(ingress, "spec"), errors, {
      secretNames: listAt(oldSpec, "tls").some((tls) => secretNameProblems(textAt(tls, "secretName")).length > 0),
      wildcardRules: hasBadWildcardRule(oldSpec),
    });
  },
  subresources: { status: (ingress, _old, errors) => validateStatus(ingress, errors) },
};

function validateSpec(spec: JsonObject, errors: FieldErrors, leniency: Leniency): void {
  if (listAt(spec, "rules").length === 0 && !isSet(spec, "defaultBackend")) {
    const shown = goSlice("networking.IngressRule", listAsSent(spec, "rules"), () => []);
    errors.invalidShown(specPath, shown, "either `defaultBackend` or `rules` must be specified");
  }
  if (isSet(spec, "defaultBackend")) {
    validateIngressBackend(objectAt(spec, "defaultBackend"), specPath.child("defaultBackend"), errors);
  }
  validateRules(spec, errors, leniency);
  validateTls(spec, errors, leniency);
  if (isSet(spec, "ingressClassName")) {
    validateFormat(textAt(spec, "ingressClassName"), validateSubdomainName, specPath.child("ingressClassName"), errors);
  }
}

function validateRules(spec: JsonObject, errors: FieldErrors, leniency: Leniency): void {
  for (const [index, rule] of listAt(spec, "rules").entries()) {
    if (errors.isFull) {
      return;
    }
    const path = specPath.child("rules").index(index);
    const host = textAt(rule, "host");
    if (host !== "") {
      validateNoAddress(host, path.child("host"), errors);
      validateFormat(host, hostNameProblems, path.child("host"), errors);
    }
    if (isSet(rule, "http") && !(host.includes("*") && leniency.wildcardRules)) {
      validateHttpRule(objectAt(rule, "http"), path.child("http"), errors);
    }
  }
}

function validateTls(spec: JsonObject, errors: FieldErrors, leniency: Leniency): void {
  for (const [index, tls] of listAt(spec, "tls").entries()) {
    const path = specPath.child("tls").index(index);
    for (const [at, host] of textsAt(tls, "hosts").entries()) {
      if (errors.isFull) {
        return;
      }
      validateFormat(host, hostNameProblems, path.child("hosts").index(at), errors);
    }
    if (!leniency.secretNames) {
      validateFormat(textAt(tls, "secretName"), secretNameProblems, path.child("secretName"), errors);
    }
  }
}

function secretNameProblems(name: string): string[] {
  return name === "" ? [] : validateSubdomainName(name);
}

function hasBadWildcardRule(spec: JsonObject): boolean {
  const errors = new FieldErrors();
  for (const rule of listAt(spec, "rules")) {
    if (textAt(rule, "host").includes("*") && isSet(rule, "http") && !errors.isFull) {
      validateHttpRule(objectAt(rule, "http"), FieldPath.of("http"), errors);
    }
  }
  return errors.list.length > 0;
}

/** Validates the class annotation of a new ingress, which is older than the member and must not differ from it. */
function validateClassAnnotation(ingress: JsonObject, errors: FieldErrors): void {
  const annotations = objectAt(ingress, "metadata", "annotations");
  const name = textAt(annotations, classAnnotation);
  if (
    Object.hasOwn(annotations, classAnnotation) &&
    isSet(ingress, "spec", "ingressClassName") &&
    name !== textAt(ingress, "spec", "ingressClassName")
  ) {
    const path = FieldPath.of("annotations").child(classAnnotation);
    errors.invalidShown(path, goQuote(name), "must match `ingressClassName` when both are specified");
  }
}

function validateStatus(ingress: JsonObject, errors: FieldErrors): void {
  for (const [index, point] of listAt(ingress, "status", "loadBalancer", "ingress").entries()) {
    if (errors.isFull) {
      return;
    }
    const path = statusPath.index(index);
    const ip = textAt(point, "ip");
    if (ip !== "" && parseIp(ip) === undefined) {
      errors.invalid(path.child("ip"), ip, "must be a valid IP address");
    }
    const host = textAt(point, "hostname");
    if (host !== "") {
      validateHostNameOfStatus(host, path.child("hostname"), errors);
    }
  }
}
