// Builds two things from the same sources: the library with its types (tsc), and the command line as small CJS
// files that start fast (esbuild): one per command, each library in a file of its own, help texts ready-made.
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const bin = resolve(root, "dist/bin");
const { version } = JSON.parse(readFileSync(resolve(root, "package.json"), "utf8"));

rmSync(resolve(root, "dist"), { recursive: true, force: true });
execFileSync(process.execPath, [resolve(root, "node_modules/typescript/bin/tsc"), "-p", resolve(root, "tsconfig.build.json")], {
  stdio: "inherit",
});
const registry = await import(pathToFileURL(resolve(root, "dist/lib/commands/index.js")));
const help = await import(pathToFileURL(resolve(root, "dist/lib/src/surfaces/cli/help.js")));
const commands = Object.fromEntries(
  await Promise.all(Object.entries(registry.COMMANDS).map(async ([name, load]) => [name, (await load()).command])),
);

/** Files that several commands need as one copy: errors are told by their class; schemas bring just the parts of zod they use. */
const SHARED = new Map([
  ["schemas/errors.ts", "errors"],
  ["schemas/plan.ts", "plan-schemas"],
  ["src/system/yaml/read.ts", "yaml-read"],
  ["src/system/failpoint.ts", "failpoint"], // counts the steps of the whole process
  ["src/system/yaml/last-reading.ts", "last-reading"], // what one bundle has read, another need not read again
  ["src/system/who.ts", "who"], // asks git once per process
]);

/** Libraries that lie in files of their own; yargs and zod are small where they are used. */
const APART = ["yaml", "chokidar", "simple-git", "gpt-tokenizer"];

await bundle();
writeHelp();
chmodSync(resolve(bin, "envoy.cjs"), 0o755);

/** Lazily imported files and whole libraries become files of their own, required only where they are reached. */
async function bundle() {
  const lazy = lazyFiles();
  const entries = [
    { in: resolve(root, "src/cli.ts"), out: "envoy" },
    ...[...SHARED, ...lazy].map(([file, out]) => ({ in: resolve(root, file), out })),
  ];
  const apart = {
    name: "apart",
    setup({ onResolve }) {
      onResolve({ filter: /^\./ }, ({ path, resolveDir, kind }) => {
        const file = relative(root, resolve(resolveDir, path));
        const out = SHARED.get(file) ?? (kind === "dynamic-import" ? lazy.get(file) : undefined);
        return out && kind !== "entry-point" ? { path: `./${out}.cjs`, external: true } : undefined;
      });
      // envoy uses the parser of yargs alone; the rest of it, terminal and translations, takes longer than all of a read
      onResolve({ filter: /platform-shims\/esm\.mjs$/ }, ({ path, resolveDir }) => ({
        path: resolve(resolveDir, path),
        sideEffects: false,
      }));
      onResolve({ filter: /^[^.]/ }, ({ path, kind }) =>
        kind !== "entry-point" && APART.includes(path) ? { path: `./${path}.cjs`, external: true } : undefined,
      );
    },
  };
  const options = {
    bundle: true,
    platform: "node",
    format: "cjs",
    target: "node20",
    minify: true,
    outdir: bin,
    outExtension: { ".js": ".cjs" },
    legalComments: "none",
    supported: { "dynamic-import": false },
    define: { ENVOY_VERSION: JSON.stringify(version), "import.meta.dirname": "__dirname", "import.meta.url": "importMetaUrl" },
    banner: { js: "const importMetaUrl='file://'+encodeURI(__filename);" }, // yargs asks for it
    logLevel: "warning",
  };
  await build({ ...options, entryPoints: entries, plugins: [apart] });
  await build({ ...options, entryPoints: APART.map((name) => ({ in: name, out: name })), absWorkingDir: root });
}

/** Every file of ours that is reached by `import("…")`, with the name of its own bundle. */
function lazyFiles() {
  const lazy = new Map();
  for (const folder of ["src", "commands"]) {
    for (const name of readdirSync(resolve(root, folder), { recursive: true }).filter((each) => each.endsWith(".ts"))) {
      const file = resolve(root, folder, name);
      for (const [, path] of readFileSync(file, "utf8").matchAll(/\bimport\("(\.[^"]+)"\)/g)) {
        const target = relative(root, resolve(dirname(file), path));
        if (!SHARED.has(target))
          lazy.set(
            target,
            target
              .replace(/^(src|commands)\//, "")
              .replace(/\.ts$/, "")
              .replaceAll("/", "-"),
          );
      }
    }
  }
  return lazy;
}

function writeHelp() {
  mkdirSync(resolve(bin, "help"), { recursive: true });
  const write = (topic, text) => writeFileSync(resolve(bin, "help", `${topic}.txt`), text);
  write("envoy", help.renderMainHelp(Object.keys(commands)));
  for (const [name, command] of Object.entries(commands)) write(name.replace(" ", "-"), help.renderCommandHelp(name, command));
  for (const group of new Set(
    Object.keys(commands)
      .filter((name) => name.includes(" "))
      .map((name) => name.split(" ")[0]),
  )) {
    write(
      group,
      help.renderGroupHelp(group, Object.fromEntries(Object.entries(commands).filter(([name]) => name.startsWith(`${group} `)))),
    );
  }
}
