// The demo's repository and what can be done in it: commands shown as typed, with their JSON as an agent gets it.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { listenTo } from "./listen.mjs";

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
  const { ENVOY_AGENT_ID: _agent, ...personal } = env;
  const children = new Set();
  let editing;
  let heldBack;
  // A reader who takes part needs the real paths.
  const print = (text) => (heldBack ? heldBack.push(text) : console.log(me ? text : text.replaceAll(folder, "~/project")));

  function start(args, { cwd = folder, person = false, shown = true } = {}) {
    if (shown) print(`\n$ envoy ${args.map(quoted).join(" ")}${cwd === folder ? "" : `   # in ${cwd}`}`);
    const child = spawn(process.execPath, [binary, ...args], { cwd, env: person ? personal : env, stdio: ["ignore", "pipe", "pipe"] });
    children.add(child);
    child.on("close", () => children.delete(child));
    return listenTo(child, print);
  }

  /** A command to its end. It must end with the exit code that the story tells. */
  async function envoy(args, { exit = 0, cwd, person } = {}) {
    const { code, document } = await start(args, { cwd, person }).end;
    print(JSON.stringify(document, null, 2));
    if (code !== 0) print(`exit code ${code}`);
    expect(code === exit, `envoy ${args.join(" ")} ended with ${code} instead of ${exit}`);
    return document.data ?? document.error;
  }

  /** What an agent's command says while the reader's editor has the screen is printed when the editor has closed. */
  async function edit(editor, file) {
    heldBack = [];
    // Without a shell in between, so that the editor itself can be ended.
    editing = spawn("sh", ["-c", `exec env ${editor} "$1"`, "sh", file], { stdio: "inherit" });
    const [code, signal] = await once(editing, "close");
    const said = heldBack;
    heldBack = undefined;
    said.forEach(print);
    if (code !== 0) print(`\n${editor} ended with ${signal ?? `exit code ${code}`}.`);
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
    edit,
    git,
    title: (text) => print(`\n── ${text} ${"─".repeat(Math.max(3, 90 - text.length))}`),
    showGit: (...args) => print(`\n$ git ${args.join(" ")}\n${git(...args).trimEnd()}`),
    close() {
      editing?.kill(); // which lets it put the terminal back in order
      for (const child of children) child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}

const quoted = (word) => (/^[\w./,=:-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);

export function expect(holds, otherwise) {
  if (!holds) throw new Error(`The demo did not go as it should: ${otherwise}`);
}
