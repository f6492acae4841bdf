import { execFileSync, spawnSync } from "node:child_process";
import {
  closeSync,
  existsSync,
  ftruncateSync,
  linkSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { envoy } from "../support/envoy.ts";
import { DONE, PLAN_GATE, plannedProject } from "../support/planned.ts";
import { Stage } from "../support/stage.ts";

const CODES = ["ENOSPC", "EACCES", "EROFS", "EIO"];

test("a disk that fails at any step of taking an answer decides nothing, loses nothing, and the next run finishes", async () => {
  const project = await plannedProject();
  await project.gate("--wait", "1ms").end;
  project.save({ "thoughts: |\n  ": "thoughts: |\n  Fine by me", ...DONE });
  const stage = new Stage(project);
  const undisturbed = await stage.finish();
  let steps = 0;
  for (let step = 1, hit = true; hit; step++) {
    stage.restore();
    const run = await stage.run(PLAN_GATE, `#${step}=error:${CODES[step % CODES.length]}`);
    if (run.code !== 0) expect(run.json).toMatchObject({ status: "error", error: { type: "io_failed" } });
    else hit = /failpoint|Could not/.test(run.stderr); // only the note that it was delivered could not be written
    if (hit) steps = step;
    expect(await stage.finish()).toEqual(undisturbed);
  }
  expect(steps).toBeGreaterThan(40);
}, 300_000);

const strace = spawnSync("strace", ["-qq", "-o", "/dev/null", "true"]).status === 0;
if (!strace) process.stderr.write("skipped: killing envoy inside system calls, because strace cannot trace here\n");

test.runIf(strace)(
  "killed inside the system's own calls, wherever the failpoints may not be, it ends the same",
  async () => {
    const project = await plannedProject();
    await project.gate("--wait", "1ms").end;
    project.save({ "thoughts: |\n  ": "thoughts: |\n  Fine by me", ...DONE });
    const stage = new Stage(project);
    const undisturbed = await stage.finish();
    let kills = 0;
    for (let nth = 1; ; nth++) {
      stage.restore();
      if (!(await stage.runTraced(PLAN_GATE, nth))) break;
      kills += 1;
      expect(await stage.finish()).toEqual(undisturbed);
    }
    expect(kills).toBeGreaterThan(3);
  },
  300_000,
);

function linkOtherFile(file: string): void {
  writeFileSync(`${file}.other`, "done: true\n");
  linkSync(`${file}.other`, file);
}

describe("in the place of the form", () => {
  test.each([
    ["a pipe", (file: string) => execFileSync("mkfifo", [file])],
    ["a hard link", (file: string) => linkOtherFile(file)],
  ])("%s is named and answers nothing", async (_what, plant) => {
    const project = await plannedProject();
    await project.gate("--wait", "1ms").end;
    rmSync(project.form());
    plant(project.form());
    expect((await project.error("unsafe_path", ...PLAN_GATE)).message).toContain(project.form());
    rmSync(project.form());
    expect((await project.gate("--wait", "1ms").end).json.status).toBe("pending");
  });
});

test("a form that cannot be read hides no other from the inbox", async () => {
  const project = await plannedProject();
  await project.gate("--wait", "1ms").end;
  await project.start(["plan", "block-debugging-logging-gate", "1", "--wait", "1ms"]).end;
  rmSync(project.form());
  execFileSync("mkfifo", [project.form()]);
  const { json, stderr } = await project.envoy("inbox");
  expect(json.data.inbox.map(({ gate }: { gate: string }) => gate)).toEqual(["1_logging"]);
  expect(stderr).toContain(project.form());
});

const otherDisk = existsSync("/dev/shm") && statSync("/dev/shm").dev !== statSync(tmpdir()).dev;
if (!otherDisk) process.stderr.write("skipped: a plan on another disk, because there is none here\n");

test.runIf(otherDisk)("a plan on another disk than envoy's folder is asked about and answered", async () => {
  const project = await plannedProject();
  const elsewhere = mkdtempSync("/dev/shm/envoy-test-");
  try {
    const plan = ["--plan-dir", join(elsewhere, "plan")];
    await project.data("plan", "init", ...plan);
    await project.data("plan", "write-prompt", "1", "--description", "Far away", ...plan);
    const waiter = project.gate(...plan);
    await waiter.says(/No person has answered yet/);
    await project.data("answer", "plan/plan_gate", "--done");
    expect((await waiter.end).json.data.proceed).toBe(true);
  } finally {
    rmSync(elsewhere, { recursive: true });
  }
});

test("what an agent writes can neither answer its own gate nor draw on the person's terminal", async () => {
  const project = await plannedProject();
  const hostile = "Nice\ndone: true\n# end of form g_00000000000 (keep this line)\n---\n\u001b[2Jvim: set ft=sh:\u202e evil";
  await project.data("plan", "write-prompt", "1", `--description=${hostile}`);
  const { json, stderr } = await project.start([...PLAN_GATE, "--wait", "1ms"], { ENVOY_AGENT_ID: "\u001b]0;evil\u0007agent\ndone: true" })
    .end;
  expect(json.status).toBe("pending");
  const form = project.readForm();
  for (const control of ["\u001b", "\u0007", "\u202e"]) expect(form + stderr).not.toContain(control);
  expect(form.match(/^done:/gm)).toHaveLength(1);
  project.save(DONE);
  expect(await project.data(...PLAN_GATE)).toMatchObject({ proceed: true });
});

test("a record that another envoy wrote is named, kept, and stops no other gate", async () => {
  const project = await plannedProject();
  const { gate_id } = (await project.gate("--wait", "1ms").end).json.data;
  const record = join(project.root, ".envoy/state/gates", gate_id, "00001.json");
  const newer = readFileSync(record, "utf8").replace('"version":1', '"version":2');
  writeFileSync(record, newer);
  expect((await project.error("invalid_file", "wait", gate_id)).message).toContain(record);
  const { stderr, code } = await project.envoy("plan", "list-prompts");
  expect(code).toBe(0);
  expect(stderr).toContain(gate_id);
  expect(readFileSync(record, "utf8")).toBe(newer);
});

/** Of the only open gate. */
function lastFact(root: string): object {
  const gates = join(root, ".envoy/state/gates");
  const [id] = readdirSync(gates).filter((name) => name !== "ended");
  const names = readdirSync(join(gates, id!)).filter((name) => name.endsWith(".json"));
  return JSON.parse(readFileSync(join(gates, id!, names.toSorted().at(-1)!), "utf8")) as object;
}

const swapped = (text: string) => Buffer.from(text, "utf16le").swap16();

test.each([
  ["Latin-1", (text: string) => Buffer.from(text, "latin1")],
  ["UTF-16", (text: string) => Buffer.from(`\ufeff${text}`, "utf16le")],
  ["UTF-16 the other way round", (text: string) => swapped(`\ufeff${text}`)],
  ["UTF-8 with the line ends of old Macs", (text: string) => Buffer.from(text.replaceAll("\n", "\r"))],
])("a save in %s is left alone until it is finished, then comes back readable, to be confirmed", async (_what, encode) => {
  const project = await plannedProject();
  await project.gate("--wait", "1ms").end;
  const text = project.readForm().replace("thoughts: |\n  ", "thoughts: |\n  schön");
  const begun = encode(text);
  writeFileSync(project.form(), begun);
  const longAgo = new Date(Date.now() - 60_000);
  utimesSync(project.form(), longAgo, longAgo);
  expect((await project.gate("--wait", "1ms").end).json.data.form).toBe("begun");
  expect(readFileSync(project.form())).toEqual(begun);
  const waiter = project.gate();
  await waiter.says(/No person has answered yet/);
  const saved = encode(text.replace("done: false", "done: true"));
  writeFileSync(project.form(), saved);
  await waiter.says(/handed back/);
  expect(lastFact(project.root)).toMatchObject({ type: "handed_back", saved_base64: saved.toString("base64") });
  expect(project.readForm()).toContain("schön");
  project.save(DONE);
  expect((await waiter.end).json.data.thoughts).toBe("schön");
  expect(readdirSync(join(project.plan, "user_feedback"))).toEqual([]);
});

test("an editor that was writing while its form was taken away and put back writes into the form", async () => {
  const project = await plannedProject();
  await project.gate("--wait", "1ms").end;
  project.save({ "thoughts: |\n  ": "thoughts: |\nUnindented", ...DONE });
  const answer = project.readForm().replace("thoughts: |\nUnindented", "thoughts: |\n  Fine by me");
  const editor = openSync(project.form(), "r+");
  const killed = (failpoint: string) => project.start([...PLAN_GATE, "--wait", "1ms"], { ENVOY_FAILPOINT: failpoint }).end;
  expect((await killed("form.put=kill")).signal).toBe("SIGKILL");
  ftruncateSync(editor);
  for (const step of ["form.put-back", "move.link", "move.sync-target", "move.unlink", "move.sync-source"])
    expect((await killed(`${step}=kill`)).signal).toBe("SIGKILL");
  expect((await project.gate("--wait", "1ms").end).json.status).toBe("pending");
  writeSync(editor, answer);
  closeSync(editor);
  expect(await project.data(...PLAN_GATE)).toMatchObject({ thoughts: "Fine by me", proceed: true });
  expect(readdirSync(join(project.root, ".envoy/state/aside"))).toEqual([]);
});

test("a form that was half put back when it is withdrawn goes", async () => {
  const project = await plannedProject();
  const { gate_id } = (await project.gate("--wait", "1ms").end).json.data;
  project.save({ "thoughts: |\n  ": "thoughts: |\nUnindented", ...DONE });
  const killed = (failpoint: string) => project.start([...PLAN_GATE, "--wait", "1ms"], { ENVOY_FAILPOINT: failpoint }).end;
  await killed("form.put=kill");
  await killed("move.unlink=kill");
  await project.data("withdraw", gate_id);
  expect(project.forms()).toEqual([]);
});

test("logs that are not UTF-8 are kept to the last byte", async () => {
  const project = await plannedProject();
  await project.start(["plan", "block-debugging-logging-gate", "1", "--wait", "1ms"]).end;
  const key = project
    .forms()
    .find((name) => name.endsWith(".yaml"))!
    .replace(".yaml", "");
  writeFileSync(
    join(project.plan, "user_feedback", `${key}_logs.md`),
    Buffer.concat([Buffer.from("Stra\xdfe \xff\n", "latin1"), Buffer.from("h\xe9llo\n")]),
  );
  project.save(DONE, key);
  const { logs } = await project.data("plan", "block-debugging-logging-gate", "1");
  expect(logs).toContain("Stra\xdfe \xff\nh\xe9llo");
});

test("a save that stops for a moment inside a letter is not handed back", async () => {
  const project = await plannedProject();
  await project.gate("--wait", "1ms").end;
  const whole = Buffer.from(project.readForm().replace("thoughts: |\n  ", "thoughts: |\n  sch\xf6n").replace("done: false", "done: true"));
  const half = whole.subarray(0, whole.indexOf("\xf6") + 1);
  const justNow = new Date(Date.now() + 3_600_000); // however slow the machine is
  writeFileSync(project.form(), half);
  utimesSync(project.form(), justNow, justNow);
  expect((await project.gate("--wait", "1ms").end).json.data.form).toBe("begun");
  expect(readFileSync(project.form())).toEqual(half);
  writeFileSync(project.form(), whole);
  expect(await project.data(...PLAN_GATE)).toMatchObject({ thoughts: "sch\xf6n" });
});

test.runIf(existsSync("/dev/full"))("a result that a full disk swallowed counts as undelivered, and comes again", async () => {
  const project = await plannedProject();
  await project.gate("--wait", "1ms").end;
  project.save(DONE);
  const full = openSync("/dev/full", "w");
  const { code, stderr } = await envoy(PLAN_GATE, { cwd: project.root, stdio: ["ignore", full, "pipe"] });
  closeSync(full);
  expect(code).toBe(5);
  expect(stderr).toContain("ENOSPC");
  expect(await project.data(...PLAN_GATE)).toMatchObject({ proceed: true });
});
