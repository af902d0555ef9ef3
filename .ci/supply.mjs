// What this project depends on: Go modules and packages of npm, each with its version and licence.
//
//   node .ci/supply.mjs licences          lists them, and fails if what ships has a licence that
//                                         is not permissive, or none
//   node .ci/supply.mjs sbom FILE         writes what ships as CycloneDX, the same bytes each time
//
// What ships is found out and not listed: the modules of the packages that are compiled into the
// program or the WASM module for any platform, and the packages of npm that the bundles hold.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledFiles } from '../extension/scripts/build.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const permissive = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'BlueOak-1.0.0', 'Unlicense', 'CC0-1.0']);
const platforms = ['linux', 'darwin', 'windows'].flatMap((os) => [[os, 'amd64'], [os, 'arm64']]);

function go(args, { cwd = root, ...env } = {}) {
  return execFileSync('go', args, { cwd, encoding: 'utf8', maxBuffer: 1 << 26, env: { ...process.env, CGO_ENABLED: '0', ...env } });
}

/** The modules of what packages are built of, by path: their version and folder. */
function modulesOf(args, env) {
  const format = '{{with .Module}}{{if not .Main}}{{.Path}}\t{{.Version}}\t{{.Dir}}{{end}}{{end}}';
  const found = new Map();
  for (const line of go(['list', '-deps', '-f', format, ...args], env).split('\n')) {
    const [path, version, folder] = line.split('\t');
    if (version) found.set(path, { version, folder });
  }
  return found;
}

function goModules() {
  const shipped = new Map();
  for (const [GOOS, GOARCH] of platforms) {
    for (const [path, module] of modulesOf(['./cmd/signalbox'], { GOOS, GOARCH })) shipped.set(path, module);
  }
  for (const [path, module] of modulesOf(['./wasm/guest'], { GOOS: 'wasip1', GOARCH: 'wasm' })) shipped.set(path, module);
  const all = new Map([
    ...modulesOf(['-test', './...'], { cwd: join(root, 'wasm/wasmtime'), CGO_ENABLED: '1' }),
    ...modulesOf(['-test', './...']),
    ...shipped,
  ]);
  const files = [...all.values()].map(({ folder }) => licenceFile(folder));
  const licences = go(['run', '.', ...files], { cwd: join(root, '.ci/licences') }).trim().split('\n');
  return [...all].map(([name, { version }], i) => ({
    kind: 'golang', name, version, licence: licences[i], ships: shipped.has(name),
  }));
}

function licenceFile(folder) {
  const name = readdirSync(folder).find((file) => /^(licen[cs]e|copying)(\.(md|txt))?$/i.test(file));
  if (name === undefined) throw new Error(`${folder} has no licence`);
  return join(folder, name);
}

async function npmPackages() {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const bundled = new Set();
  for (const file of await bundledFiles()) {
    const at = file.lastIndexOf('node_modules/');
    if (at < 0) continue;
    const parts = file.slice(at).split('/');
    const folder = file.slice(0, at).replace(/^(\.\.\/)+/, '') + parts.slice(0, parts[1].startsWith('@') ? 3 : 2).join('/');
    if (lock.packages[folder] === undefined) throw new Error(`${folder} is bundled, and not in the lock`);
    bundled.add(folder);
  }
  return Object.entries(lock.packages)
    .filter(([folder, { link }]) => folder.includes('node_modules/') && link !== true)
    .map(([folder, { version, license }]) => ({
      kind: 'npm', name: folder.slice(folder.lastIndexOf('node_modules/') + 13), version,
      licence: license ?? installed(folder) ?? 'UNKNOWN', ships: bundled.has(folder),
    }));
}

/** What an installed package says of its licence, for those of which the lock says nothing. */
function installed(folder) {
  const file = join(root, folder, 'package.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).license : undefined;
}

async function everything() {
  const list = [...goModules(), ...(await npmPackages())];
  const seen = new Map();
  for (const part of list) {
    const key = `${part.kind} ${part.name} ${part.version}`;
    seen.set(key, { ...part, ships: part.ships || seen.get(key)?.ships === true });
  }
  return [...seen].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
}

/** Whether an SPDX expression leaves a permissive choice, and asks for nothing else. */
function isPermissive(licence) {
  return licence
    .replace(/[()]/g, '')
    .split(' AND ')
    .every((all) => all.split(' OR ').some((one) => permissive.has(one.trim())));
}

function printLicences(parts) {
  let faults = 0;
  for (const { kind, name, version, licence, ships } of parts) {
    const bad = ships && !isPermissive(licence);
    if (bad) faults++;
    console.log(`${ships ? 'ships' : '     '}  ${kind.padEnd(6)}  ${licence.padEnd(14)}  ${name} ${version}${bad ? '  NOT PERMISSIVE' : ''}`);
  }
  const shipped = parts.filter(({ ships }) => ships).length;
  console.log(`licences: ${parts.length} dependencies, of which ${shipped} ship`);
  if (shipped === 0 || faults > 0) process.exitCode = 1;
}

function bill(parts) {
  const { version } = JSON.parse(readFileSync(join(root, 'extension/package.json'), 'utf8'));
  const purl = ({ kind, name, version }) => `pkg:${kind}/${name.replace(/^@/, '%40')}@${version}`;
  const components = parts.filter(({ ships }) => ships).map((part) => ({
    type: 'library', 'bom-ref': purl(part), name: part.name, version: part.version, purl: purl(part),
    licenses: / (AND|OR) /.test(part.licence) ? [{ expression: part.licence }] : [{ license: { id: part.licence } }],
  }));
  const toolchain = go(['env', 'GOVERSION']).trim().replace(/^go/, '');
  components.push({
    type: 'library', 'bom-ref': `pkg:golang/std@${toolchain}`, name: 'std', version: toolchain, purl: `pkg:golang/std@${toolchain}`,
    licenses: [{ license: { id: 'BSD-3-Clause' } }],
  });
  // The number is made of what is listed, so that the same source gives the same bytes.
  const h = createHash('sha256').update(JSON.stringify(components)).digest('hex');
  return {
    bomFormat: 'CycloneDX', specVersion: '1.6', version: 1,
    serialNumber: `urn:uuid:${h.slice(0, 8)}-${h.slice(8, 12)}-5${h.slice(13, 16)}-8${h.slice(17, 20)}-${h.slice(20, 32)}`,
    metadata: {
      component: {
        type: 'application', 'bom-ref': 'signalbox', name: 'signalbox', version, licenses: [{ license: { id: 'MIT' } }],
      },
    },
    components,
    dependencies: [{ ref: 'signalbox', dependsOn: components.map((part) => part['bom-ref']) }],
  };
}

const [command, file] = process.argv.slice(2);
const parts = await everything();
if (command === 'licences') {
  printLicences(parts);
} else if (command === 'sbom' && file !== undefined) {
  writeFileSync(file, `${JSON.stringify(bill(parts), null, 2)}\n`);
} else {
  console.error('usage: supply.mjs licences | sbom FILE');
  process.exitCode = 2;
}
