import { type Counter, type Gauge, type MetricsRegistry, onFirstUse } from "@gatehouse/component-base/metrics";

/** The kind of an allocation: `static` for a number that a client has named, `dynamic` for any free one. */
export type AllocationScope = "static" | "dynamic";

/** Metrics of one allocator. Dry runs are not measured. */
export interface AllocatorMetrics {
  /** Counts an attempt to allocate a number. */
  attempted(scope: AllocationScope, succeeded: boolean): void;
  /** Records how many numbers of the range are taken, and how many are free. */
  counted(taken: number, free: number): void;
}

/** Metrics of the allocators of services. */
export interface ServiceAllocationMetrics {
  /** Returns the metrics of a range of addresses. */
  addresses(cidr: string): AllocatorMetrics;
  readonly nodePorts: AllocatorMetrics;
}

/**
 * Registers the metrics of the allocators of services, under v1.29's names; those of addresses when the first range asks for
 * them. To be called once for a server.
 */
export function serviceAllocationMetrics(registry: MetricsRegistry): ServiceAllocationMetrics {
  const ofAddresses = onFirstUse(() => addressMetrics(registry));
  return { addresses: (cidr) => ofAddresses()(cidr), nodePorts: nodePortMetrics(registry) };
}

function addressMetrics(registry: MetricsRegistry): (cidr: string) => AllocatorMetrics {
  const allocated = registry.gauge({
    name: "kube_apiserver_clusterip_allocator_allocated_ips",
    help: "Addresses of the range that are allocated to Services.",
    labelNames: ["cidr"],
  });
  const available = registry.gauge({
    name: "kube_apiserver_clusterip_allocator_available_ips",
    help: "Addresses of the range that are free.",
    labelNames: ["cidr"],
  });
  const successes = registry.counter({
    name: "kube_apiserver_clusterip_allocator_allocation_total",
    help: "Addresses that have been allocated, by range and by whether a client has named them.",
    labelNames: ["cidr", "scope"],
  });
  const errors = registry.counter({
    name: "kube_apiserver_clusterip_allocator_allocation_errors_total",
    help: "Addresses that could not be allocated, by range and by whether a client has named them.",
    labelNames: ["cidr", "scope"],
  });
  return (cidr) => {
    const gauges = onFirstUse(() => ({
      allocated: allocated.labels({ cidr }),
      available: available.labels({ cidr }),
    }));
    return {
      attempted: countAttempts(
        (scope) => successes.labels({ cidr, scope }),
        (scope) => errors.labels({ cidr, scope }),
      ),
      counted(taken, free) {
        gauges().allocated.set(taken);
        gauges().available.set(free);
      },
    };
  };
}

function nodePortMetrics(registry: MetricsRegistry): AllocatorMetrics {
  // Shown from the start, as 0 until something has been allocated: as in v1.29.
  const gauge = (name: string, help: string): Gauge => registry.gauge({ name, help }).labels({});
  const allocated = gauge("kube_apiserver_nodeport_allocator_allocated_ports", "Node ports allocated to Services.");
  const available = gauge("kube_apiserver_nodeport_allocator_available_ports", "Node ports that are free.");
  const successes = registry.counter({
    name: "kube_apiserver_nodeport_allocator_allocation_total",
    help: "Node ports that have been allocated, by whether a client has named them.",
    labelNames: ["scope"],
  });
  const errors = registry.counter({
    name: "kube_apiserver_nodeport_allocator_allocation_errors_total",
    help: "Node ports that could not be allocated, by whether a client has named them.",
    labelNames: ["scope"],
  });
  return {
    attempted: countAttempts(
      (scope) => successes.labels({ scope }),
      (scope) => errors.labels({ scope }),
    ),
    counted(taken, free) {
      allocated.set(taken);
      available.set(free);
    },
  };
}

type CounterOfScope = (scope: AllocationScope) => Counter;

/** Returns a function that counts attempts. Each counter is made when it is first needed: until then it is not shown. */
function countAttempts(successes: CounterOfScope, errors: CounterOfScope): AllocatorMetrics["attempted"] {
  const byScope = (counterOf: CounterOfScope): Readonly<Record<AllocationScope, () => Counter>> => ({
    static: onFirstUse(() => counterOf("static")),
    dynamic: onFirstUse(() => counterOf("dynamic")),
  });
  const [succeeded, failed] = [byScope(successes), byScope(errors)];
  return (scope, isSuccess) => (isSuccess ? succeeded : failed)[scope]().inc();
}
