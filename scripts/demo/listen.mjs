// What a running envoy says and how it ends, as things to wait for: nobody has to guess how long something takes.

export function listenTo(child, print) {
  let stdout = "";
  let stderr = "";
  const listeners = new Set();
  const heard = () => listeners.forEach((listener) => listener());
  child.stdout.setEncoding("utf8").on("data", (chunk) => (stdout += chunk));
  child.stderr.setEncoding("utf8").on("data", (chunk) => {
    stderr += chunk;
    print(chunk.trimEnd());
    heard();
  });
  const end = new Promise((done, fail) => {
    child.on("error", fail);
    child.on("close", (code) => done({ code, document: stdout && JSON.parse(stdout) }));
  });
  /** Resolves with everything said so far, once that is so. */
  const says = (pattern, times = 1) =>
    new Promise((done, fail) => {
      const listener = () => count(stderr, pattern) >= times && listeners.delete(listener) && done(stderr);
      listeners.add(listener);
      listener();
      void end.then(() => fail(new Error(`envoy ended without saying ${pattern}:\n${stdout}`)), fail);
    });
  const saysAgain = (pattern) => says(pattern, count(stderr, pattern) + 1);
  return { end, says, saysAgain };
}

const count = (text, pattern) => text.split(pattern).length - 1;

/** What comes next for several that wait for one form: it goes `back` to the person, or the wait is `over`. */
export const nextOf = (waiters) =>
  Promise.race(
    waiters.map((waiter) =>
      waiter.saysAgain("the form was handed back").then(
        () => "back",
        () => "over",
      ),
    ),
  );
