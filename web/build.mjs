// Bundles src/ into the files that the Python package carries, with their digests and that of the sources. `--check` builds in memory and compares.
import { createHash } from "node:crypto";
import { build } from "esbuild";
import { readdir, readFile, writeFile, mkdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, "..", "src", "ordern", "view", "assets");
const licence = (await readFile(join(here, "node_modules", "three", "LICENSE"), "utf8")).trim();
const { version } = JSON.parse(await readFile(join(here, "node_modules", "three", "package.json"), "utf8"));
const banner = `/*! ordern's page (Apache-2.0); built from web/, do not edit.\nIt contains three.js ${version}:\n\n${licence}\n*/`;

async function bundle(entry, loader, header) {
  const result = await build({
    entryPoints: [join(here, "src", entry)],
    bundle: true,
    minify: true,
    write: false,
    format: loader === "js" ? "iife" : undefined,
    target: "es2022",
    charset: "ascii",
    legalComments: "none",
    banner: { [loader]: header },
  });
  return result.outputFiles[0].text;
}

const made = {
  "page.js": await bundle("main.js", "js", banner.replace(/[^\x00-\x7f]/g, (c) => (c === "\u00a9" ? "(c)" : "?"))),
  "page.css": await bundle("style.css", "css", "/* built from web/, do not edit */"),
  "page.html": await readFile(join(here, "src", "page.html"), "utf8"),
};

/** The sources' digest: tests compute it too, so that a bundle older than its sources is found without a build. */
async function sources() {
  const all = createHash("sha256");
  const names = (await readdir(join(here, "src"))).map((name) => `src/${name}`);
  for (const name of [...names, "build.mjs", "package.json", "package-lock.json"].sort()) {
    const own = createHash("sha256").update(await readFile(join(here, name))).digest("hex");
    all.update(`${name} ${own}\n`);
  }
  return all.digest("hex");
}

const digests = Object.fromEntries(Object.entries(made).map(([name, text]) => [name, createHash("sha256").update(text).digest("hex")]));
made["built.json"] = `${JSON.stringify({ sources: await sources(), ...digests }, null, 1)}\n`;

if (process.argv.includes("--check")) {
  for (const [name, text] of Object.entries(made)) {
    if ((await readFile(join(target, name), "utf8").catch(() => "")) !== text) {
      console.error(`${name} is not what web/ makes; run: npm run build`);
      process.exitCode = 1;
    }
  }
} else {
  await mkdir(target, { recursive: true });
  for (const [name, text] of Object.entries(made)) await writeFile(join(target, name), text);
  for (const [name, text] of Object.entries(made)) console.log(name, (text.length / 1000).toFixed(1), "kB");
}
