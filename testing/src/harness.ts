import { AdvancedClock } from "./cluster-clock.js";
import { FaultRules } from "./faults/cluster-faults.js";
import { RequestRecording, recordedRequest } from "./recording/recording.js";
import type { RunParts, ServerDataAccess } from "./server-run/server-run.js";

/** The hand of a test in a server of this process: faults, clock and recordings. It stays over restarts. */
export class Harness {
  readonly faults: FaultRules;
  readonly clock: AdvancedClock;
  readonly #recordings = new Set<RequestRecording>();
  /** Returns the access to the server while it runs; set by its control plane. */
  server: () => ServerDataAccess | undefined = () => undefined;

  /** `aheadMs` is how far the clock is ahead of that of the machine. */
  constructor(aheadMs = 0) {
    this.faults = new FaultRules((matches) => this.server()?.cut(matches) ?? 0);
    this.clock = new AdvancedClock(() => this.server()?.clockAdvanced(), aheadMs);
  }

  /** The parts that a server is started with. */
  readonly parts: RunParts = {
    now: () => this.clock.now(),
    faultsOf: (request) => this.faults.faultsOf(request),
    beforeWebhook: (webhook) => this.faults.beforeWebhook(webhook),
    recorder: {
      isRecording: () => this.#recordings.size > 0,
      record: (exchange) => {
        const request = recordedRequest(exchange);
        for (const recording of this.#recordings) {
          recording.add(request);
        }
      },
    },
  };

  /** Begins a recording. */
  record(): RequestRecording {
    const recording = new RequestRecording((ended) => this.#recordings.delete(ended));
    this.#recordings.add(recording);
    return recording;
  }
}
