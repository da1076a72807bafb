// Loaded before a program (NODE_OPTIONS=--import=FILE): its clock, for JavaScript, is right for a second, then ten minutes
// fast, then ten minutes slow, and so on. Monotonic clocks and timers are as they are.
const stepMs = 1_000;
const shifts = [0, 600_000, -600_000];
const SteadyDate = globalThis.Date;

function now(): number {
  return SteadyDate.now() + (shifts[Math.floor(performance.now() / stepMs) % shifts.length] ?? 0);
}

globalThis.Date = new Proxy(SteadyDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  apply: () => new SteadyDate(now()).toString(),
  get: (target, name) => (name === "now" ? now : Reflect.get(target, name)),
});
