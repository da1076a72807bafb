/** A pod, or somebody who is none: those are of no namespace, and no policy holds for them. */
export interface Party {
  readonly name: string;
  readonly namespace?: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Numbers of ports by their names. */
  readonly ports: Readonly<Record<string, number>>;
}

interface LabelSelector {
  readonly matchLabels?: Readonly<Record<string, string>>;
  readonly matchExpressions?: readonly {
    readonly key: string;
    readonly operator: string;
    readonly values: readonly string[];
  }[];
}

interface Peer {
  readonly podSelector?: LabelSelector;
  readonly namespaceSelector?: LabelSelector;
}

interface PolicyRule {
  readonly from?: readonly Peer[];
  readonly to?: readonly Peer[];
  readonly ports?: readonly { readonly protocol: string; readonly port: number | string }[];
}

/** The members of a NetworkPolicy (`networking.k8s.io/v1`) that the test reads. */
export interface NetworkPolicy {
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: {
    readonly podSelector: LabelSelector;
    readonly policyTypes: readonly ("Ingress" | "Egress")[];
    readonly ingress?: readonly PolicyRule[];
    readonly egress?: readonly PolicyRule[];
  };
}

/**
 * Reports whether policies let one party connect to a port of another, by the rules of the API: a party that no policy
 * of a direction selects is free in it, any other may do what one of its policies allows, and both ends must agree.
 */
export function mayConnect(
  policies: readonly NetworkPolicy[],
  from: Party,
  to: Party,
  port: number,
  protocol: string,
): boolean {
  const allows = (self: Party, other: Party, direction: "Ingress" | "Egress"): boolean => {
    const concerned = policies.filter(
      ({ metadata, spec }) =>
        metadata.namespace === self.namespace &&
        spec.policyTypes.includes(direction) &&
        isSelected(spec.podSelector, self.labels),
    );
    const rules = concerned.flatMap(({ spec }) => (direction === "Ingress" ? spec.ingress : spec.egress) ?? []);
    return (
      concerned.length === 0 ||
      rules.some((rule) => {
        const peers = direction === "Ingress" ? rule.from : rule.to;
        return (
          (peers === undefined || peers.some((peer) => isPeer(peer, self, other))) &&
          (rule.ports === undefined ||
            rule.ports.some(
              (wanted) =>
                wanted.protocol === protocol &&
                (typeof wanted.port === "number" ? wanted.port : to.ports[wanted.port]) === port,
            ))
        );
      })
    );
  };
  return allows(from, to, "Egress") && allows(to, from, "Ingress");
}

function isPeer({ podSelector, namespaceSelector }: Peer, self: Party, other: Party): boolean {
  if (other.namespace === undefined) {
    return false;
  }
  const isNamespace =
    namespaceSelector === undefined
      ? other.namespace === self.namespace
      : isSelected(namespaceSelector, { "kubernetes.io/metadata.name": other.namespace });
  return isNamespace && (podSelector === undefined || isSelected(podSelector, other.labels));
}

function isSelected({ matchLabels = {}, matchExpressions = [] }: LabelSelector, labels: Party["labels"]): boolean {
  return (
    Object.entries(matchLabels).every(([key, value]) => labels[key] === value) &&
    matchExpressions.every(({ key, operator, values }) => {
      if (operator !== "In") {
        throw new Error(`the test does not know the operator ${operator}`);
      }
      return values.includes(labels[key] ?? "");
    })
  );
}
