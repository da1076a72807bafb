import type { JsonValue } from "@gatehouse/envelopes/json";
import type { Answers } from "./worker-link.js";
import type { WorkerProcess } from "./worker-process.js";

/** Time in milliseconds that workers have for an answer. */
const answerWithinMs = 5000;

interface OpenQuestion {
  readonly waitingFor: Set<WorkerProcess>;
  readonly answers: Map<WorkerProcess, JsonValue>;
  readonly finish: () => void;
}

/** Asks several workers one question each time, and collects their answers. */
export class QuestionRelay {
  readonly #open = new Map<number, OpenQuestion>();
  #ids = 0;

  /**
   * Asks workers. Resolves when all of them that serve have answered or ended, or the time for an answer is over. Those that
   * still start are not waited for: that can take longer, and they have no requests to tell of.
   */
  ask(
    workers: readonly WorkerProcess[],
    topic: string,
    body: JsonValue,
  ): Promise<Answers & { readonly by: ReadonlyMap<WorkerProcess, JsonValue> }> {
    const id = ++this.#ids;
    return new Promise((resolve) => {
      const waitingFor = new Set(workers.filter(({ isServing }) => isServing));
      const answers = new Map<WorkerProcess, JsonValue>();
      const finish = (): void => {
        clearTimeout(timer);
        this.#open.delete(id);
        resolve({ answers: [...answers.values()], missing: waitingFor.size, by: answers });
      };
      const timer = setTimeout(finish, answerWithinMs);
      this.#open.set(id, { waitingFor, answers, finish });
      for (const worker of workers) {
        worker.send({ type: "ask", id, topic, body });
      }
      this.#settle(id);
    });
  }

  /** Takes the answer of a worker. */
  answered(worker: WorkerProcess, id: number, body: JsonValue): void {
    const question = this.#open.get(id);
    if (question?.waitingFor.delete(worker) === true) {
      question.answers.set(worker, body);
      this.#settle(id);
    }
  }

  /** Waits no longer for a worker that has ended. */
  ended(worker: WorkerProcess): void {
    for (const [id, { waitingFor }] of [...this.#open]) {
      if (waitingFor.delete(worker)) {
        this.#settle(id);
      }
    }
  }

  #settle(id: number): void {
    const question = this.#open.get(id);
    if (question?.waitingFor.size === 0) {
      question.finish();
    }
  }
}
