// Measures envoy against floors in one interleaved run, prints a table of ratios, writes bench/results.json.
// `--check` fails when a figure is over its limit. `--runs N` (at least 20) sets the repetitions; `--quick` leaves out
// what is measured once and takes minutes.
import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { formRow } from "./form.mjs";
import { gateRows, measureOnce, removeFolders } from "./gates.mjs";
import { fillWithQuestions } from "./questions.mjs";

const here = dirname(fileURLToPath(import.meta.url));
const binary = resolve(here, "../dist/bin/envoy.cjs");
const option = (name) => process.argv[process.argv.indexOf(name) + 1];
const runs = Math.max(20, process.argv.includes("--runs") ? Number(option("--runs")) : 24);

const folder = mkdtempSync(join(tmpdir(), "envoy-bench-"));
const environment = { ...process.env, HOME: folder, GIT_CONFIG_NOSYSTEM: "1", NO_COLOR: "1" };
const run = (command, args, cwd = folder) => {
  const { status, stderr } = spawnSync(command, args, { cwd, env: environment, encoding: "utf8" });
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} ended with ${status}: ${stderr}`);
};
const envoy = (...args) => run(process.execPath, [binary, ...args]);

run("git", ["init", "-q", "-b", "feature/bench"]);
envoy("plan", "init");
envoy(
  "plan",
  "write-finding",
  "backend",
  "--notes",
  "Notes",
  "--approaches",
  JSON.stringify([1, 2, 3].map((number) => ({ number, description: `Approach ${number}`, approach_detail: "Some detail.\n".repeat(10) }))),
);

const crowded = join(folder, "crowded");
mkdirSync(crowded);
run("git", ["init", "-q", "-b", "feature/crowded"], crowded);
const inCrowded = (...args) => run(process.execPath, [binary, ...args], crowded);
fillWithQuestions(crowded, () => inCrowded("ask", "Which one?", "--agent", "other", "--timeout", "never", "--no-wait"), {
  ended: 10_000,
  open: 100,
});

const floor = { name: "node -e 0", work: () => run(process.execPath, ["-e", "0"]) };
const rows = [
  { name: "envoy --help", limit: 1.3, work: () => envoy("--help") },
  { name: "envoy --version", limit: 1.3, work: () => envoy("--version") },
  { name: "envoy plan get-finding-approach", limit: 2.2, work: () => envoy("plan", "get-finding-approach", "backend", "2") },
  { name: "envoy check", limit: 1.5, work: () => envoy("check") },
  { name: "envoy check, 10,000 ended and 100 open questions", limit: 1.5, work: () => inCrowded("check") },
  formRow,
  ...gateRows,
];

try {
  const times = await measure([floor, ...rows.flatMap((row) => (row.floor ? [row.floor, row] : [row]))]);
  const results = rows.map((row) => {
    const base = median(times.get(row.floor ?? floor));
    const ratios = times.get(row).map((time) => time / base);
    return {
      name: row.name,
      limit: row.limit,
      floor: (row.floor ?? floor).name,
      ratio: median(ratios),
      spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
      ms: median(times.get(row)),
    };
  });
  const figures = process.argv.includes("--quick") ? [] : await measureOnce((line) => console.error(line));
  report(median(times.get(floor)), results, figures);
} finally {
  removeFolders();
  rmSync(folder, { recursive: true, force: true });
}

/** Interleaved, so that a busy moment of the machine hits all rows alike. */
async function measure(all) {
  const times = new Map(all.map((row) => [row, []]));
  for (let i = -2; i < runs; i++) {
    for (const row of all) {
      const start = performance.now();
      const own = await row.work();
      const ms = own ?? performance.now() - start;
      if (i >= 0) times.get(row).push(ms);
    }
  }
  return times;
}

function quantile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(q * (sorted.length - 1))];
}
function median(values) {
  return quantile(values, 0.5);
}

function report(base, results, figures) {
  console.log(`floor: ${floor.name}, median ${base.toFixed(1)} ms of ${runs} interleaved runs, Node ${process.version}\n`);
  console.log("| what | × floor | middle half | limit | floor | |\n| --- | --- | --- | --- | --- | --- |");
  for (const { name, ratio, spread, limit, floor: own } of results) {
    console.log(
      `| ${name} | ${ratio.toFixed(2)} | ${spread.map((s) => s.toFixed(2)).join("–")} | ≤ ${limit} | ${own} | ${ratio <= limit ? "ok" : "OVER"} |`,
    );
  }
  if (figures.length) console.log("\n| measured once | value | limit | floor | |\n| --- | --- | --- | --- | --- |");
  for (const { name, value, unit, limit, floor: own } of figures) {
    console.log(`| ${name} | ${value.toFixed(2)} ${unit} | ≤ ${limit} | ${own} | ${value <= limit ? "ok" : "OVER"} |`);
  }
  writeFileSync(
    join(here, "results.json"),
    `${JSON.stringify({ node: process.version, runs, floor: { name: floor.name, ms: base }, rows: results, figures }, null, 2)}\n`,
  );
  const over = [...results.filter(({ ratio, limit }) => ratio > limit), ...figures.filter(({ value, limit }) => value > limit)];
  if (process.argv.includes("--check") && over.length) {
    console.error(`over the limit: ${over.map(({ name }) => name).join(", ")}`);
    process.exitCode = 1;
  }
}
