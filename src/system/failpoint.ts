// Places where a test can make this process die or a step fail. Inert unless NODE_ENV is `test`.
//
//   ENVOY_FAILPOINT=<name>=kill          SIGKILL when the failpoint of this name is reached
//   ENVOY_FAILPOINT=<name>=error:<CODE>  the step behind it fails with this errno code, e.g. ENOSPC
//   ENVOY_FAILPOINT=<name>=stop          SIGSTOP there, until the test sends SIGCONT
//   ENVOY_FAILPOINT=#<N>=kill            the same at the N-th failpoint passed (from 1), whichever its name,
//   ENVOY_FAILPOINT=#<N>=error:<CODE>    so that a loop can fail at the 1st, 2nd, … until none is hit
//
// A failpoint stands before the step it is named after: `error` stands for the failure of that step, `kill` for
// dying between the step before and this one. The variable is read at each call, so a test can also set it in
// its own process.

const PATTERN = /^(?<name>.+)=(?:(?<signal>kill|stop)|error:(?<code>[A-Z0-9]+))$/;

let passed = 0;

export function failpoint(name: string): void {
  if (process.env["NODE_ENV"] !== "test") return;
  const wanted = process.env["ENVOY_FAILPOINT"];
  if (!wanted) return;
  passed += 1;
  const match = PATTERN.exec(wanted)?.groups;
  if (!match) throw new Error(`ENVOY_FAILPOINT cannot be ${JSON.stringify(wanted)}`);
  if (match["name"] !== name && match["name"] !== `#${passed}`) return;
  if (match["signal"] === "kill") dieAtOnce();
  if (match["signal"] === "stop") return void process.kill(process.pid, "SIGSTOP");
  const code = match["code"] ?? "EIO";
  throw Object.assign(new Error(`${code}: failpoint ${name}`), { code });
}

function dieAtOnce(): never {
  process.kill(process.pid, "SIGKILL");
  // The signal may be delivered to another thread first; nothing of this one may run on meanwhile.
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
