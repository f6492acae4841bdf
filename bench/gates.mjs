// The rows about gates: real waiting processes, real saves. Each `work` gives the milliseconds it is about.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const binary = resolve(dirname(fileURLToPath(import.meta.url)), "../dist/bin/envoy.cjs");
const environment = { ...process.env, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
const made = [];
export const removeFolders = () => made.forEach((folder) => rmSync(folder, { recursive: true, force: true }));

const envoy = (cwd, ...args) => {
  const { status, stdout, stderr } = spawnSync(process.execPath, [binary, ...args], {
    cwd,
    env: environment,
    encoding: "utf8",
    maxBuffer: 2 ** 30,
  });
  if (status !== 0 && status !== 75) throw new Error(`envoy ${args.join(" ")} ended with ${status}: ${stdout}${stderr}`);
};

function newProject() {
  const folder = mkdtempSync(join(tmpdir(), "envoy-bench-gate-"));
  made.push(folder);
  spawnSync("git", ["init", "-q", "-b", "feature/bench"], { cwd: folder, env: environment });
  envoy(folder, "plan", "init");
  envoy(folder, "plan", "write-prompt", "1", "--description", "Build the login page");
  const forms = join(folder, ".envoy/plans/feature-bench/user_feedback");
  return { folder, forms, plan: dirname(forms), form: (key) => join(forms, `${key}.yaml`) };
}

/** A waiting gate, once it says so. */
async function waiting(folder, args, env = environment) {
  const child = spawn(process.execPath, [binary, ...args], { cwd: folder, env, stdio: ["ignore", "pipe", "pipe"] });
  let said = "";
  child.stdout.resume();
  await new Promise((done, fail) => {
    child.on("exit", () => fail(new Error(`ended instead of waiting: ${said}`)));
    child.stderr.setEncoding("utf8").on("data", (chunk) => /resume:/.test((said += chunk)) && done());
  });
  child.removeAllListeners("exit");
  return child;
}
const armed = () => new Promise((done) => setTimeout(done, 150)); // a person takes longer than arming a watch does

function saveDone(form, replacements = {}) {
  let text = readFileSync(form, "utf8").replace("done: false", "done: true");
  for (const [from, to] of Object.entries(replacements)) text = text.replace(from, to);
  writeFileSync(`${form}.saved`, text);
  renameSync(`${form}.saved`, form);
}

const PLAN_GATE = ["plan", "block-plan-gate"];
const project = newProject();

export const gateRows = [
  {
    name: "gate: start to form on disk",
    limit: 3.5,
    async work() {
      const appeared = new Promise((done) => {
        const watcher = watch(project.forms, (_event, name) => {
          if (name !== "plan_gate.yaml" || !existsSync(project.form("plan_gate"))) return;
          watcher.close();
          done(performance.now());
        });
      });
      const start = performance.now();
      const child = spawn(process.execPath, [binary, ...PLAN_GATE], { cwd: project.folder, env: environment, stdio: "ignore" });
      const end = await appeared;
      child.kill("SIGKILL");
      await once(child, "exit");
      envoy(project.folder, "withdraw", "plan_gate");
      return end - start;
    },
  },
  {
    name: "gate: form saved to process ended",
    limit: 1.0,
    async work() {
      const child = await waiting(project.folder, PLAN_GATE);
      await armed();
      const start = performance.now();
      saveDone(project.form("plan_gate"));
      await once(child, "exit");
      return performance.now() - start;
    },
  },
];

/** In MB; undefined of a process that has ended. */
const memoryOf = ({ pid }) => {
  const status = existsSync(`/proc/${pid}/status`) ? readFileSync(`/proc/${pid}/status`, "utf8") : "";
  const size = /VmRSS:\s+(\d+)/.exec(status)?.[1];
  return size === undefined ? undefined : Number(size) / 1024;
};
/** In ms, of all threads: to the nanosecond, where the sums of whole ticks may be off by several of them. */
const processorOf = ({ pid }) =>
  readdirSync(`/proc/${pid}/task`)
    .map((task) => Number(readFileSync(`/proc/${pid}/task/${task}/schedstat`, "utf8").split(" ")[0]))
    .reduce((sum, ns) => sum + ns / 1e6, 0);

/** Figures that are measured once: `{ name, value, limit, unit, floor }`. */
export async function measureOnce(log, only = ["waiting", "approaches", "trail", "logs", "crowd"]) {
  const figures = [];
  const add = (figure) => {
    figures.push(figure);
    log(`${figure.name}: ${figure.value.toFixed(2)} ${figure.unit} (limit ${figure.limit})`);
  };
  if (only.includes("waiting")) await waitingCosts(add);
  if (only.includes("approaches")) manyApproaches(add);
  if (only.includes("trail")) longTrail(add);
  if (only.includes("logs")) await hugeLogs(add);
  if (only.includes("crowd")) await manyWaiters(add);
  return figures;
}

async function waitingCosts(add) {
  const child = await waiting(project.folder, PLAN_GATE);
  const bare = spawn(process.execPath, ["-e", `require("fs").watch(".", () => {}); process.stdout.write("on")`], {
    cwd: project.forms,
    stdio: ["ignore", "pipe", "ignore"],
  });
  await once(bare.stdout, "data");
  await new Promise((done) => setTimeout(done, 5000)); // what starting it still costs is not waiting
  const before = processorOf(child);
  await new Promise((done) => setTimeout(done, 60_000));
  add({ name: "CPU of a waiting gate in 60 s", value: processorOf(child) - before, limit: 50, unit: "ms", floor: "0" });
  add({
    name: "memory of a waiting gate",
    value: memoryOf(child) / memoryOf(bare),
    limit: 1.5,
    unit: "×",
    floor: "node waiting on fs.watch",
  });
  bare.kill();
  child.kill("SIGKILL");
  await once(child, "exit");
  envoy(project.folder, "withdraw", "plan_gate");
}

function timed(work) {
  const start = performance.now();
  work();
  return performance.now() - start;
}

/** Once, in a process of its own: envoy's own runs are not warmed up either. */
function parseAndPrint(file) {
  const library = fileURLToPath(import.meta.resolve("yaml"));
  const program = `const { parse, stringify } = require(process.argv[1]);
    const source = require("fs").readFileSync(process.argv[2], "utf8");
    const start = performance.now();
    stringify(parse(source));
    console.log(performance.now() - start);`;
  return Number(spawnSync(process.execPath, ["-e", program, library, file], { encoding: "utf8" }).stdout);
}

function manyApproaches(add) {
  const { folder, plan, form } = newProject();
  const approaches = Array.from({ length: 10_000 }, (_, i) => ({
    number: i + 1,
    description: `Approach ${i + 1}`,
    approach_detail: "Some detail\nof it\n",
  }));
  writeFileSync(join(folder, "findings.json"), JSON.stringify({ notes: "Many", approaches }));
  envoy(folder, "plan", "write-finding", "backend", "--input", "findings.json");
  const floors = [1, 2, 3].map(() => parseAndPrint(join(plan, "findings/backend.yaml"))).toSorted((a, b) => a - b);
  const floor = floors[1];
  const whole = timed(() => {
    envoy(folder, "plan", "block-findings-gate", "--wait", "1ms");
    const shown = readFileSync(form("findings_gate"), "utf8");
    const key = /backend_1:\n.*\n    user_required_changes: \|\n/.exec(shown)[0];
    saveDone(form("findings_gate"), { [key]: `${key}      Change it\n` });
    envoy(folder, "plan", "block-findings-gate");
  });
  if (!readFileSync(join(plan, "findings/backend.yaml"), "utf8").includes("user_requested_changes: Change it"))
    throw new Error("the answer was not applied");
  add({ name: "10,000 approaches: open, answer, apply", value: whole / floor, limit: 4, unit: "×", floor: "yaml parse + stringify" });
}

/** On disk and in the place of the last one, as every copy that survives a power loss has to be made. */
function copyDurably(from, to) {
  copyFileSync(from, `${to}.new`);
  const handle = openSync(`${to}.new`, "r+");
  fsyncSync(handle);
  closeSync(handle);
  renameSync(`${to}.new`, to);
}

function longTrail(add) {
  const { folder, plan } = newProject();
  const append = (to) => timed(() => envoy(to.folder, "plan", "append-user-input", "One more remark"));
  const small = newProject();
  const trail = join(plan, "user_input.md");
  append(small);
  writeFileSync(trail, `${"x".repeat(99)}\n`.repeat(525_000));
  copyDurably(trail, join(folder, "copy"));
  const ratios = Array.from({ length: 9 }, () => {
    const empty = append(small);
    const copy = timed(() => copyDurably(trail, join(folder, "copy")));
    return append({ folder }) / (empty + copy);
  });
  add({
    name: "one more entry in a trail of 50 MB",
    value: ratios.toSorted((a, b) => a - b)[4],
    limit: 1,
    unit: "×",
    floor: "an empty trail + one copy",
  });
}

async function hugeLogs(add) {
  for (const [what, line] of [
    ["mixed lines", "2026-11-18T10:02:03Z INFO request 4711 took 12 ms <|endoftext|>\n"],
    ["one letter", "a".repeat(64)],
  ]) {
    const { folder, forms, form } = newProject();
    const child = await waiting(folder, ["plan", "block-debugging-logging-gate", "1"]);
    await armed();
    const before = memoryOf(child);
    writeFileSync(join(forms, "1_logging_logs.md"), line.repeat(Math.ceil(100e6 / line.length)));
    if (statSync(join(forms, "1_logging_logs.md")).size < 99e6) throw new Error("too small");
    let most = before;
    const sampler = setInterval(() => (most = Math.max(most, memoryOf(child) ?? 0)), 5);
    const start = performance.now();
    saveDone(form("1_logging"));
    const [code] = await once(child, "exit");
    clearInterval(sampler);
    if (code !== 4) throw new Error(`100 MB of logs ended with ${code}`);
    add({ name: `100 MB of logs refused, ${what}`, value: (performance.now() - start) / 1000, limit: 2, unit: "s", floor: "" });
    add({ name: `memory for them, ${what}`, value: most - before, limit: 150, unit: "MB", floor: "the waiting process" });
  }
}

async function manyWaiters(add) {
  const { folder, forms, form } = newProject();
  const count = 200;
  for (let n = 2; n <= count; n++) copyFileSync(join(forms, "../prompts/1.md"), join(forms, `../prompts/${n}.md`));
  for (let n = 1; n <= count; n++) {
    const file = join(forms, `../prompts/${n}.md`);
    writeFileSync(file, readFileSync(file, "utf8").replace(/^number: .*$/m, `number: ${n}`));
  }
  const children = [];
  for (let n = 1; n <= count; n += 4) {
    const batch = [n, n + 1, n + 2, n + 3].map((each) => waiting(folder, ["plan", "block-debugging-logging-gate", String(each)]));
    children.push(...(await Promise.all(batch)));
  }
  const ends = Promise.all(children.map((child) => once(child, "exit")));
  for (let n = 1; n <= count; n++) saveDone(form(`${n}_logging`));
  const codes = (await ends).map(([code]) => code);
  mkdirSync(forms, { recursive: true });
  const left = readdirSync(forms).length;
  add({
    name: "200 gates waiting at once: unanswered",
    value: codes.filter((code) => code !== 0).length + left,
    limit: 0,
    unit: "gates",
    floor: "",
  });
}
