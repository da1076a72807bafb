import type { NumberRange } from "@gatehouse/apiserver/options";
import { integerAt, isSet, type JsonObject, textAt, valueAt } from "@gatehouse/envelopes/json";
import { badRequest, fieldError, internalError } from "@gatehouse/envelopes/status";
import {
  healthCheckNodePortOf,
  nodePortOf,
  nodePortsOf,
  portsOf,
  takesHealthCheckNodePort,
  takesNodePorts,
} from "../service-fields.js";
import { invalidService } from "./field-errors.js";
import type { RangeEdit } from "./range-allocator.js";

/** The node ports planned for a service. */
export interface NodePortPlan {
  /** The node ports in the order of spec.ports; 0 for a port without one. */
  readonly nodePorts: readonly number[];
  /** The port for health checks; 0 for none. */
  readonly healthCheckNodePort: number;
  /** The ports newly allocated by this plan. */
  readonly allocated: readonly number[];
}

interface Planning {
  readonly name: string;
  readonly range: NumberRange;
  readonly edit: RangeEdit;
  readonly allocated: number[];
}

/** The service to plan for, and the range to take its ports from. */
export interface PlanOptions {
  /** The name of the service. */
  readonly name: string;
  readonly spec: JsonObject;
  readonly range: NumberRange;
  readonly edit: RangeEdit;
}

/** Returns the plan of a service that takes no node ports: its own stay as they are, valid or not. */
export function untouchedNodePorts(spec: JsonObject): NodePortPlan {
  return {
    nodePorts: portsOf(spec).map(nodePortOf),
    healthCheckNodePort: healthCheckNodePortOf(spec),
    allocated: [],
  };
}

/**
 * Allocates the ports of a new service and changes nothing but the range. Throws 422 for ports that are unavailable.
 */
export function planNewNodePorts({ name, spec, range, edit }: PlanOptions): NodePortPlan {
  const planning: Planning = { name, range, edit, allocated: [] };
  const nodePorts = takesNodePorts(spec) ? newNodePorts(planning, spec) : portsOf(spec).map(nodePortOf);
  const healthCheckNodePort = takesHealthCheckNodePort(spec)
    ? newHealthCheckNodePort(planning, spec)
    : healthCheckNodePortOf(spec);
  return { nodePorts, healthCheckNodePort, allocated: planning.allocated };
}

/** Allocates the ports that a changed service did not have before, and changes nothing but the range. */
export function planChangedNodePorts({ name, spec, range, edit }: PlanOptions, oldSpec: JsonObject): NodePortPlan {
  const planning: Planning = { name, range, edit, allocated: [] };
  const nodePorts = takesNodePorts(spec)
    ? changedNodePorts(planning, spec, nodePortsOf(oldSpec))
    : portsOf(spec).map(nodePortOf);
  const healthCheckNodePort =
    takesHealthCheckNodePort(spec) && !takesHealthCheckNodePort(oldSpec)
      ? newHealthCheckNodePort(planning, spec)
      : healthCheckNodePortOf(spec);
  return { nodePorts, healthCheckNodePort, allocated: planning.allocated };
}

/** Returns the ports that a service releases with a change. */
export function releasedNodePorts(spec: JsonObject, plan: NodePortPlan, oldSpec: JsonObject): readonly number[] {
  const released = new Set<number>();
  if (takesNodePorts(oldSpec)) {
    const kept = new Set(takesNodePorts(spec) ? plan.nodePorts : []);
    for (const port of nodePortsOf(oldSpec)) {
      if (!kept.has(port)) {
        released.add(port);
      }
    }
  }
  if (takesHealthCheckNodePort(oldSpec) && !takesHealthCheckNodePort(spec) && healthCheckNodePortOf(oldSpec) !== 0) {
    released.add(healthCheckNodePortOf(oldSpec));
  }
  return [...released];
}

/** Allocates the node ports of a new service. Ports with one number for two protocols share the node port, too. */
function newNodePorts(planning: Planning, spec: JsonObject): readonly number[] {
  const byPort = new Map<number, number>();
  const wantedByPort = wantedNodePorts(spec);
  return portsOf(spec).map((port, index) => {
    const asked = nodePortOf(port);
    if (asked === 0 && !allocatesNodePorts(spec)) {
      return 0;
    }
    const number = Number(integerAt(port, "port"));
    const known = byPort.get(number);
    if (known !== undefined) {
      return asked === 0 || asked === known ? known : reserve(planning, index, asked);
    }
    const wanted = wantedByPort.get(number) ?? 0;
    const nodePort = wanted === 0 ? next(planning) : reserve(planning, index, wanted);
    byPort.set(number, nodePort);
    return nodePort;
  });
}

function changedNodePorts(planning: Planning, spec: JsonObject, before: ReadonlySet<number>): readonly number[] {
  const ours = new Set(before);
  const seen = new Set<string>();
  return portsOf(spec).map((port, index) => {
    const asked = nodePortOf(port);
    if (asked === 0 && !allocatesNodePorts(spec)) {
      return 0;
    }
    const nodePort = asked === 0 ? next(planning) : ours.has(asked) ? asked : reserve(planning, index, asked);
    if (asked !== 0) {
      ours.add(asked);
    }
    const listed = `{${textAt(port, "protocol")} ${nodePort}}`;
    if (seen.has(listed)) {
      throw badRequest(`duplicate nodePort: ${listed}`);
    }
    seen.add(listed);
    return nodePort;
  });
}

/** Reports whether a service needs node ports; load balancers that send traffic to pods directly do not (KEP-1864). */
function allocatesNodePorts(spec: JsonObject): boolean {
  return (
    textAt(spec, "type") === "NodePort" ||
    !isSet(spec, "allocateLoadBalancerNodePorts") ||
    valueAt(spec, "allocateLoadBalancerNodePorts") === true
  );
}

/** Returns, for each port number, the node port that the first port with that number and a node port requests. */
function wantedNodePorts(spec: JsonObject): ReadonlyMap<number, number> {
  const wanted = new Map<number, number>();
  for (const port of portsOf(spec)) {
    const number = Number(integerAt(port, "port"));
    if (nodePortOf(port) !== 0 && !wanted.has(number)) {
      wanted.set(number, nodePortOf(port));
    }
  }
  return wanted;
}

function newHealthCheckNodePort(planning: Planning, spec: JsonObject): number {
  const asked = healthCheckNodePortOf(spec);
  if (asked === 0) {
    const nodePort = allocateNext(planning);
    if (nodePort === undefined) {
      throw internalError(`failed to allocate a HealthCheck NodePort 0: ${fullRange}`);
    }
    return nodePort;
  }
  const refusal = allocate(planning, asked);
  if (refusal !== undefined) {
    // v1.29 answers 500 with this message (decisions/0008).
    throw badRequest(`failed to allocate requested HealthCheck NodePort ${asked}: ${refusal}`);
  }
  return asked;
}

const fullRange = "range is full";

function next(planning: Planning): number {
  const nodePort = allocateNext(planning);
  if (nodePort === undefined) {
    throw internalError(`failed to allocate a nodePort: ${fullRange}`);
  }
  return nodePort;
}

function reserve(planning: Planning, index: number, nodePort: number): number {
  const refusal = allocate(planning, nodePort);
  if (refusal !== undefined) {
    throw invalidService(planning.name, [fieldError.invalid(`spec.ports[${index}].nodePort`, nodePort, refusal)]);
  }
  return nodePort;
}

function allocateNext({ edit, allocated }: Planning): number | undefined {
  const nodePort = edit.allocateNext();
  if (nodePort !== undefined) {
    allocated.push(nodePort);
  }
  return nodePort;
}

/** Allocates a port. Returns the reason if it is unavailable, undefined on success. */
function allocate({ edit, range, allocated }: Planning, nodePort: number): string | undefined {
  switch (edit.allocate(nodePort)) {
    case "outside":
      return `provided port is not in the valid range. The range of valid ports is ${range.text}`;
    case "taken":
      return "provided port is already allocated";
    case "allocated":
      allocated.push(nodePort);
      return undefined;
  }
}
