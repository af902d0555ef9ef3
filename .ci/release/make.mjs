// Makes the packages of a release from what "make" built: archives, deb, rpm, apk, npm, a
// Homebrew formula, manifests for Scoop, winget and the registry of MCP, and the plugins for
// agents' programs; with the VSIXes their checksums.
//
//   node .ci/release/make.mjs VERSION NFPM PLATFORM...
//   node .ci/release/make.mjs VERSION                    only says whether it is one
//
// It reads bin/release, dist/man, dist/completions, dist/*.vsix and the bill of materials, and
// writes dist/release. SOURCE_DATE_EPOCH is the time of every file, so that the same source
// makes the same bytes.
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, cpSync, createWriteStream, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import yazl from 'yazl';
import { formula, linuxPackage, mcpServer, npmMain, npmPlatform, scoop, winget } from './manifests.mjs';

const [version, nfpm, ...platforms] = process.argv.slice(2);
const out = 'dist/release';
const seconds = Number(process.env.SOURCE_DATE_EPOCH);
// The numbers and names of https://semver.org, without build metadata, which npm and Debian read differently.
if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}(-(0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*)(\.(0|[1-9]\d*|\d*[A-Za-z-][\dA-Za-z-]*))*)?$/.test(version)) {
  console.error(`release: VERSION=${version} is not a version such as 1.2.3 or 1.2.3-rc.1`);
  process.exit(2);
}
if (nfpm === undefined) process.exit(0);
if (!Number.isInteger(seconds) || seconds <= 0) throw new Error('release: SOURCE_DATE_EPOCH, the time of the files in seconds, is not set');
// Zip holds local times.
process.env.TZ = 'UTC';

const run = promisify(execFile);
const gzipped = (data) => promisify(gzip)(data, { level: 9 });

/** The binary of a platform, and its name in a package. */
const binary = (platform) => `bin/release/signalbox-${platform.replace('/', '-')}${exe(platform)}`;
const exe = (platform) => (platform.startsWith('windows/') ? '.exe' : '');

/** Runs write in a folder of its own, whose files all get the same time and modes before use is run in it. */
async function staged(write, use) {
  const stage = mkdtempSync(join(tmpdir(), 'signalbox-release-'));
  try {
    await write(stage);
    for (const name of readdirSync(stage, { recursive: true })) {
      const file = join(stage, name);
      const program = /(^|\/)signalbox(\.exe|\.js)?$/.test(name);
      chmodSync(file, program || statSync(file).isDirectory() ? 0o755 : 0o644);
      utimesSync(file, seconds, seconds);
    }
    await use(stage);
  } finally {
    rmSync(stage, { recursive: true, force: true });
  }
}

/** The archive of a platform: the program, its manual and completions. */
async function archive(platform) {
  const top = `signalbox-${version}-${platform.replace('/', '-')}`;
  const fill = (stage) => {
    const dir = join(stage, top);
    mkdirSync(dir);
    cpSync(binary(platform), join(dir, `signalbox${exe(platform)}`));
    for (const name of ['LICENSE', 'README.md']) cpSync(name, join(dir, name));
    cpSync('dist/man', join(dir, 'man'), { recursive: true });
    cpSync('dist/completions', join(dir, 'completions'), { recursive: true });
  };
  await staged(fill, (stage) => (exe(platform) === '' ? tarball(stage, top) : zip(stage, top)));
}

/** The plugins for agents' programs with the marketplaces that list them: one folder to install from. */
async function plugins() {
  const top = `signalbox-${version}-plugins`;
  const fill = async (stage) => {
    await run('go', ['run', './cmd/signalbox/internal/setup/plugingen', join(stage, top), version]);
    cpSync('LICENSE', join(stage, top, 'LICENSE'));
  };
  await staged(fill, (stage) => zip(stage, top));
}

async function tarball(stage, top) {
  const owner = ['--owner=0', '--group=0', '--numeric-owner'];
  const { stdout } = await run('tar', ['--sort=name', '--format=ustar', ...owner, '-C', stage, '-cf', '-', top], { maxBuffer: 1 << 28, encoding: 'buffer' });
  writeFileSync(join(out, `${top}.tar.gz`), await gzipped(stdout));
}

async function zip(stage, top) {
  const file = new yazl.ZipFile();
  for (const name of readdirSync(stage, { recursive: true }).sort()) {
    if (statSync(join(stage, name)).isFile()) file.addFile(join(stage, name), name);
  }
  file.end();
  await pipeline(file.outputStream, createWriteStream(join(out, `${top}.zip`)));
}

/** The deb, rpm and apk of a platform. */
async function linux(platform) {
  const arch = platform.split('/')[1];
  const fill = async (stage) => {
    cpSync(binary(platform), join(stage, 'signalbox'));
    cpSync('dist/completions', join(stage, 'completions'), { recursive: true });
    mkdirSync(join(stage, 'man'));
    // Debian wants manual pages packed.
    for (const page of readdirSync('dist/man')) writeFileSync(join(stage, 'man', `${page}.gz`), await gzipped(readFileSync(join('dist/man', page))));
    for (const name of ['LICENSE', 'README.md']) cpSync(name, join(stage, name));
  };
  const make = async (stage, packager) => {
    const config = join(stage, `${packager}.json`);
    writeFileSync(config, JSON.stringify(linuxPackage(version, arch, packager, stage)));
    await run(nfpm, ['package', '--config', config, '--packager', packager, '--target', join(out, `signalbox-${version}-linux-${arch}.${packager}`)]);
  };
  await staged(fill, (stage) => Promise.all(['deb', 'rpm', 'apk'].map((packager) => make(stage, packager))));
}

/** The packages for npm: one that starts the program of its platform's package. */
async function npm() {
  const pack = (manifest, fill) =>
    staged(
      (stage) => {
        mkdirSync(join(stage, 'bin'));
        cpSync('LICENSE', join(stage, 'LICENSE'));
        writeFileSync(join(stage, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
        fill(stage);
      },
      async (stage) => {
        const { stdout } = await run('npm', ['pack', stage, '--json', '--pack-destination', out]);
        const [{ filename }] = JSON.parse(stdout);
        renameSync(join(out, filename), join(out, `npm-${filename}`));
      },
    );
  const main = pack(npmMain(version, platforms), (stage) => {
    cpSync('.ci/release/npm.md', join(stage, 'README.md'));
    cpSync('.ci/release/npm.js', join(stage, 'bin/signalbox.js'));
  });
  const program = (platform) => pack(npmPlatform(version, platform), (stage) => cpSync(binary(platform), join(stage, `bin/signalbox${exe(platform)}`)));
  await Promise.all([main, ...platforms.map(program)]);
}

const sum = (file) => createHash('sha256').update(readFileSync(file)).digest('hex');

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
// Each kind after the other, so that no more programs run at once than there are platforms.
await Promise.all(platforms.map(archive));
await Promise.all(platforms.filter((name) => name.startsWith('linux/')).map(linux));
await npm();
await plugins();
const archived = (platform) => {
  const file = `signalbox-${version}-${platform.replace('/', '-')}${exe(platform) === '' ? '.tar.gz' : '.zip'}`;
  return { file, sha256: sum(join(out, file)) };
};
writeFileSync(join(out, 'signalbox.rb'), formula(version, archived));
writeFileSync(join(out, 'signalbox.json'), scoop(version, archived));
writeFileSync(join(out, 'server.json'), mcpServer(version));
for (const [name, text] of Object.entries(winget(version, archived))) writeFileSync(join(out, name), text);
for (const name of readdirSync('dist').filter((file) => /\.(vsix|cdx\.json)$/.test(file))) cpSync(join('dist', name), join(out, basename(name)));
const sums = readdirSync(out).sort().map((name) => `${sum(join(out, name))}  ${name}\n`);
writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
console.log(`release: ${sums.length} files in ${out}`);
