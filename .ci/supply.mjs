// What ships: Go modules, as go-licenses finds them, and packages of npm, as the lock has them.
//
//   node .ci/supply.mjs path/to/go-licenses [FILE]
//
// Lists each with its licence, fails for one that is not permissive, and writes a bill of
// materials (CycloneDX) to FILE, for the release VERSION if that is set, the same bytes for the same source.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const [licences, file] = process.argv.slice(2);
const permissive = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'BlueOak-1.0.0', 'CC0-1.0']);

function run(command, args, env = {}) {
  return execFileSync(command, args, { encoding: 'utf8', maxBuffer: 1 << 26, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'ignore'] });
}

/** The modules that are compiled into the program for any platform. */
function goModules() {
  const scratch = mkdtempSync(join(tmpdir(), 'signalbox-supply-'));
  // Built with -trimpath, go-licenses does not know what the standard library is.
  const GOROOT = run('go', ['env', 'GOROOT']).trim();
  try {
    const template = join(scratch, 'rows');
    writeFileSync(template, '{{range .}}{{.Name}} {{.Version}} {{.LicenseName}}\n{{end}}');
    return ['linux', 'darwin', 'windows'].flatMap((GOOS) =>
      run(licences, ['report', './cmd/signalbox', '--template', template, '--ignore', 'github.com/signalbox-dev'], { GOOS, GOROOT, CGO_ENABLED: '0' })
        .split('\n')
        .filter((row) => row !== '')
        .map((row) => row.split(' '))
        .map(([name, version, licence]) => ({ kind: 'golang', name, version, licence })),
    );
  } finally {
    rmSync(scratch, { recursive: true });
  }
}

/** The packages of the lock that are not for development alone. */
function npmPackages() {
  return Object.entries(JSON.parse(readFileSync('package-lock.json', 'utf8')).packages)
    .filter(([folder, { dev, link }]) => folder.includes('node_modules/') && dev !== true && link !== true)
    .map(([folder, { version, license }]) => ({
      kind: 'npm', name: folder.slice(folder.lastIndexOf('node_modules/') + 13), version, licence: license ?? 'none',
    }));
}

const found = [...goModules(), ...npmPackages()].map((part) => [`pkg:${part.kind}/${part.name.replace(/^@/, '%40')}@${part.version}`, part]);
const components = [...new Map(found)].sort(([a], [b]) => (a < b ? -1 : 1)).map(([purl, { name, version, licence }]) => {
  const bad = !permissive.has(licence);
  console.log(`${licence.padEnd(14)} ${purl}${bad ? '  NOT PERMISSIVE' : ''}`);
  if (bad) process.exitCode = 1;
  return { type: 'library', 'bom-ref': purl, name, version, purl, licenses: [{ license: { id: licence } }] };
});
if (components.length < 10) throw new Error('fewer dependencies were found than there are');
if (file !== undefined) {
  const version = process.env.VERSION || JSON.parse(readFileSync('extension/package.json', 'utf8')).version;
  const h = createHash('sha256').update(JSON.stringify(components)).digest('hex');
  const bill = {
    bomFormat: 'CycloneDX', specVersion: '1.6', version: 1,
    serialNumber: `urn:uuid:${h.slice(0, 8)}-${h.slice(8, 12)}-5${h.slice(13, 16)}-8${h.slice(17, 20)}-${h.slice(20, 32)}`,
    metadata: { component: { type: 'application', 'bom-ref': 'signalbox', name: 'signalbox', version, licenses: [{ license: { id: 'MIT' } }] } },
    components,
    dependencies: [{ ref: 'signalbox', dependsOn: components.map((part) => part['bom-ref']) }],
  };
  writeFileSync(file, `${JSON.stringify(bill, null, 2)}\n`);
}
