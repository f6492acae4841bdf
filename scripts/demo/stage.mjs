// The demo's repository and what can be done in it: commands shown as typed, with their JSON as an agent gets it.
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const binary = resolve(import.meta.dirname, "../../dist/bin/envoy.cjs");

/** Nothing of the reader's own settings reaches the demo. */
function cleanEnvironment(home) {
  const own = /^(ENVOY_|GIT_|BLOCKING_GATE_TIMEOUT_MS|MAX_LOGS_TOKENS|GEMINI_CLI)/;
  const kept = Object.entries(process.env).filter(([name]) => !own.test(name));
  return { ...Object.fromEntries(kept), HOME: home, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null", ENVOY_AGENT_ID: "planner" };
}

export function openStage({ me }) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "envoy-demo-")));
  const env = cleanEnvironment(folder);
  const children = new Set();
  // A reader who takes part needs the real paths.
  const print = (text) => console.log(me ? text : text.replaceAll(folder, "~/project"));

  function start(args, { cwd = folder } = {}) {
    print(`\n$ envoy ${args.map(quoted).join(" ")}${cwd === folder ? "" : `   # in ${cwd}`}`);
    const child = spawn(process.execPath, [binary, ...args], { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    children.add(child);
    child.on("close", () => children.delete(child));
    return listenTo(child, print);
  }

  /** A command to its end. It must end with the exit code that the story tells. */
  async function envoy(args, { exit = 0, cwd } = {}) {
    const { code, document } = await start(args, { cwd }).end;
    print(JSON.stringify(document, null, 2));
    if (code !== 0) print(`exit code ${code}`);
    expect(code === exit, `envoy ${args.join(" ")} ended with ${code} instead of ${exit}`);
    return document.data ?? document.error;
  }

  const git = (...args) =>
    execFileSync("git", ["-c", "user.name=Demo", "-c", "user.email=demo@example.invalid", ...args], { cwd: folder, env, encoding: "utf8" });

  return {
    me,
    folder,
    plan: join(folder, ".envoy/plans/feature-login"),
    print,
    start,
    envoy,
    git,
    title: (text) => print(`\n── ${text} ${"─".repeat(Math.max(3, 90 - text.length))}`),
    showGit: (...args) => print(`\n$ git ${args.join(" ")}\n${git(...args).trimEnd()}`),
    close() {
      for (const child of children) child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

/** Resolves `says` when stderr has said it, so that nobody has to guess how long something takes. */
function listenTo(child, print) {
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
  const count = (pattern) => stderr.match(new RegExp(pattern, "g"))?.length ?? 0;
  const says = (pattern, times = 1) =>
    new Promise((done, fail) => {
      const listener = () => count(pattern) >= times && done(listeners.delete(listener));
      listeners.add(listener);
      listener();
      void end.then(() => fail(new Error(`envoy ended without saying ${pattern}:\n${stdout}`)), fail);
    });
  return { end, says };
}

const quoted = (word) => (/^[\w./,=:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

export function expect(holds, otherwise) {
  if (!holds) throw new Error(`The demo did not go as it should: ${otherwise}`);
}
