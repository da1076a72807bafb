import { readBody, sendAnswer } from "@gatehouse/apiserver/http";
import type { Routes } from "@gatehouse/apiserver/routes";
import type { LogThreshold } from "@gatehouse/component-base/logs";
import type { WorkerGroup } from "../workers/worker-group.js";
import { levelOfVerbosity } from "./verbosity.js";

const index = `<html>
<head>
<title>/debug/flags/</title>
</head>
<body>
/debug/flags/<br>
<br>
flags:<br>
<table>

<tr>v<br>

</table>
<br>
full flags configurable<br>
</body>
</html>
`;

/** The topic by which workers tell each other the verbosity of the log, or ask for it, with null. */
const topic = "log verbosity";

/** The log, and the other processes whose log is the same. */
export interface DebugFlagsParts {
  readonly threshold: LogThreshold;
  readonly workers: Pick<WorkerGroup, "ask" | "answer"> | undefined;
}

/** Returns the routes below `/debug/flags`: PUT to `/debug/flags/v` changes the verbosity of the log. */
export function debugFlagsRoutes({ threshold, workers }: DebugFlagsParts): Routes {
  let verbosity: number | undefined;
  const change = (wanted: number): void => {
    verbosity = wanted;
    threshold.level = levelOfVerbosity(wanted);
  };
  workers?.answer(topic, (wanted) => {
    if (wanted !== null) {
      change(Number(wanted));
    }
    return verbosity ?? null;
  });
  // A worker that starts later writes as much as the others do. What it was told meanwhile is newer than their answers.
  void workers?.ask(topic, null).then(
    (answers) => {
      const set = answers.find((answer) => answer !== null);
      if (set !== undefined && verbosity === undefined) {
        change(Number(set));
      }
    },
    () => {}, // Who does not answer has no verbosity to tell either.
  );
  return (path) => {
    if (path !== "/debug/flags" && !path.startsWith("/debug/flags/")) {
      return undefined;
    }
    if (path !== "/debug/flags/v") {
      return (context) => sendAnswer(context, 200, { "Content-Type": "text/html; charset=utf-8" }, Buffer.from(index));
    }
    return async (context) => {
      const answer = (code: number, text: string): void => {
        context.setHeader("X-Content-Type-Options", "nosniff");
        sendAnswer(context, code, { "Content-Type": "text/plain" }, Buffer.from(`${text}\n`));
      };
      if (context.method !== "PUT") {
        return answer(406, "unsupported http method");
      }
      const text = (await readBody(context)).toString("utf8");
      const wanted = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
      if (!(wanted < 2 ** 31)) {
        return answer(400, `strconv.ParseUint: parsing ${JSON.stringify(text.slice(0, 100))}: invalid syntax`);
      }
      change(wanted);
      await workers?.ask(topic, wanted);
      answer(200, `successfully set klog.logging.verbosity to ${text}`);
    };
  };
}
