import { deploymentJson } from "./deployments.js";

/** A Deployment of 10 KB, as expressions of policies see it. */
export const policyObject = JSON.parse(deploymentJson("bench", 0));

/** Twenty expressions of the sort that people write in policies; each is true of `policyObject`. */
export const policyExpressions: readonly string[] = [
  "object.spec.replicas <= 5",
  "object.metadata.name.startsWith('bench')",
  "has(object.metadata.labels) && 'app' in object.metadata.labels",
  "object.metadata.labels.app == object.spec.selector.matchLabels.app",
  "object.spec.template.spec.containers.all(c, c.image.startsWith('registry.example.com/'))",
  "object.spec.template.spec.containers.all(c, !c.image.endsWith(':latest'))",
  "object.spec.template.spec.containers.all(c, has(c.resources) && has(c.resources.limits) && 'memory' in c.resources.limits)",
  "!has(object.spec.template.spec.hostNetwork) || !object.spec.template.spec.hostNetwork",
  "object.spec.template.spec.containers.all(c, !has(c.securityContext) || !has(c.securityContext.privileged) || !c.securityContext.privileged)",
  "object.spec.template.spec.containers.exists(c, c.name == 'main')",
  "object.spec.template.spec.containers.exists_one(c, c.name == 'proxy')",
  "object.spec.template.spec.volumes.all(v, !has(v.hostPath))",
  "size(object.spec.template.spec.containers) < 10",
  "object.spec.template.spec.containers.map(c, c.name).all(n, n.size() < 64)",
  "object.spec.template.spec.containers.filter(c, has(c.livenessProbe)).size() == 3",
  "object.metadata.name.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
  "object.spec.template.spec.containers.all(c, c.ports.all(p, p.containerPort > 1024 && p.containerPort < 65536))",
  "object.metadata.namespace in ['default', 'production', 'staging']",
  "object.spec.template.spec.containers.all(c, quantity(c.resources.requests.cpu).isLessThan(quantity('2')))",
  "object.spec.template.metadata.labels.all(k, !k.contains('/') || k.split('/').size() == 2)",
];
