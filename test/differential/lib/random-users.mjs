// Users with drawn permissions, and the roles and bindings that give them these.
import { bindingOf, group, rolesPath, user, validRule } from "./random-roles.mjs";

/**
 * A user: `{ name, groups, namespace, objects, roles, held }`. `objects` give them what they hold, as `{ path, body }`, the
 * rules in `held` and those of roles that do not exist.
 */
export function drawnUser(r, { prefix, namespace, i }) {
  const name = `${prefix}-u${i}`;
  const own = `${prefix}-g${i}`;
  const groups = [...(r.chance(0.4) ? [own] : []), ...(r.chance(0.3) ? ['odd "group"', "second"] : [])];
  const drawn = { name, own, groups, namespace, objects: [], roles: [], held: [] };
  for (let n = r.int(4); n > 0; n--) {
    const isCluster = r.chance(0.5);
    const isGrantedInCluster = isCluster && r.chance(0.5);
    const rules = Array.from({ length: 1 + r.int(3) }, () => validRule(r, { hasPaths: isCluster }));
    give(r, drawn, r.chance(0.1) ? undefined : rules, { isCluster, isGrantedInCluster, label: `r${n}` });
  }
  if (r.chance(0.08)) {
    const everything = [{ verbs: ["*"], apiGroups: ["*"], resources: ["*"] }];
    if (r.chance(0.7)) everything.push({ verbs: ["*"], nonResourceURLs: ["*"] });
    give(r, drawn, everything, { isCluster: true, isGrantedInCluster: r.chance(0.8), label: "all" });
  }
  return drawn;
}

/** Gives a user a role with these rules, or, without rules, binds them to a role that does not exist. */
export function give(r, drawn, rules, { isCluster, isGrantedInCluster, label }) {
  const { name, own, groups, namespace, objects, roles, held } = drawn;
  const subject = groups.includes(own) && r.chance(0.5) ? group(own) : user(name);
  const kind = isCluster ? "ClusterRole" : "Role";
  const roleName = `${name}-${label}`;
  if (rules !== undefined) {
    const path = rolesPath(isCluster ? "clusterroles" : "roles", namespace);
    objects.push({ path, body: { metadata: { name: roleName }, rules } });
    roles.push({ kind, name: roleName, rules });
    held.push(...rules);
  }
  const bindings = rolesPath(isGrantedInCluster ? "clusterrolebindings" : "rolebindings", namespace);
  objects.push({ path: bindings, body: bindingOf(roleName, kind, roleName, [subject]) });
}

/** Headers by which an administrator acts as that user. */
export function as(name, groups) {
  return { "impersonate-user": name, ...(groups.length > 0 && { "impersonate-group": groups }) };
}
