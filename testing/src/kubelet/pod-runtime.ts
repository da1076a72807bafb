import { type JsonObject, listAt, objectAt, textAt } from "@gatehouse/envelopes/json";
import { ContainerLog } from "./container-log.js";
import type { ContainerScript, PodScript } from "./pod-script.js";

/** A container of a pod that runs, with its script. */
export interface RunningContainer {
  readonly name: string;
  readonly script: ContainerScript;
  readonly log: ContainerLog;
  readonly previousLog: ContainerLog | undefined;
}

/** A pod on the node: the object as the API server has it, and the containers that its script runs. */
export class RunningPod {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
  readonly script: PodScript;
  readonly containers: ReadonlyMap<string, RunningContainer>;
  readonly startTime: string = new Date().toISOString().replace(/\.\d+/, "");
  /** The object as it was seen last. */
  object: JsonObject;

  constructor(object: JsonObject, script: PodScript) {
    this.object = object;
    this.namespace = textAt(object, "metadata", "namespace");
    this.name = textAt(object, "metadata", "name");
    this.uid = textAt(object, "metadata", "uid");
    this.script = script;
    this.containers = new Map(containerNames(object).map((name) => [name, startContainer(name, script)]));
  }

  /** Ends the logs, so that those who follow them come to their end. */
  end(): void {
    for (const { log } of this.containers.values()) {
      log.end();
    }
  }

  /** Returns the status of the pod while it runs, or after all of its containers have ended with an exit code. */
  status({ address, exitCode }: { readonly address: string; readonly exitCode?: number }): JsonObject {
    const ended = exitCode !== undefined;
    const now = new Date().toISOString().replace(/\.\d+/, "");
    const condition = (type: string, holds: boolean): JsonObject => ({
      type,
      status: holds ? "True" : "False",
      lastTransitionTime: now,
      ...(holds ? {} : { reason: "PodCompleted" }),
    });
    return {
      phase: ended ? (exitCode === 0 ? "Succeeded" : "Failed") : "Running",
      hostIP: address,
      hostIPs: [{ ip: address }],
      podIP: address,
      podIPs: [{ ip: address }],
      startTime: this.startTime,
      conditions: [
        condition("Initialized", true),
        condition("Ready", !ended),
        condition("ContainersReady", !ended),
        condition("PodScheduled", true),
      ],
      containerStatuses: listAt(this.object, "spec", "containers").map((container) => ({
        name: textAt(container, "name"),
        image: textAt(container, "image"),
        imageID: "",
        containerID: `script://${this.uid}-${textAt(container, "name")}`,
        restartCount: 0,
        ready: !ended,
        started: !ended,
        state: ended
          ? {
              terminated: {
                exitCode,
                reason: exitCode === 0 ? "Completed" : "Error",
                startedAt: this.startTime,
                finishedAt: now,
              },
            }
          : { running: { startedAt: this.startTime } },
      })),
    };
  }
}

function startContainer(name: string, script: PodScript): RunningContainer {
  const merged = { ...script, ...script.containers?.[name] };
  const { logs, previousLogs } = merged;
  return {
    name,
    script: merged,
    log: new ContainerLog(logs),
    previousLog: previousLogs === undefined ? undefined : new ContainerLog(previousLogs),
  };
}

function containerNames(object: JsonObject): readonly string[] {
  const spec = objectAt(object, "spec");
  const lists = ["initContainers", "containers", "ephemeralContainers"].map((field) => listAt(spec, field));
  return lists.flat().map((container) => textAt(container, "name"));
}
