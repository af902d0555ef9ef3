import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { entriesOf } from './zip';

// The tests run as bundles in extension/dist-test/unit.
const extension = join(dirname(fileURLToPath(import.meta.url)), '../..');
const folder = mkdtempSync(join(tmpdir(), 'signalbox-package-'));
after(() => rmSync(folder, { recursive: true, force: true }));

function pack(name: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Buffer {
  const out = join(folder, name);
  const script = join(extension, 'scripts/package.mjs');
  execFileSync(process.execPath, [script, ...args, '--out', out], {
    cwd: extension,
    env: { ...process.env, ...env },
    stdio: 'pipe',
  });
  return readFileSync(out);
}

interface Manifest {
  readonly main?: string;
  readonly browser?: string;
  readonly extensionKind?: readonly string[];
  readonly contributes: {
    readonly walkthroughs?: readonly unknown[];
    readonly mcpServerDefinitionProviders?: readonly unknown[];
    readonly jsonValidation: readonly { readonly url: string }[];
  };
  readonly capabilities: { readonly virtualWorkspaces: { readonly supported: unknown } };
}

function manifestOf(vsix: Buffer): Manifest {
  const entry = entriesOf(vsix).get('extension/package.json');
  assert.ok(entry);
  return JSON.parse(entry.data().toString()) as Manifest;
}

const digest = (data: Buffer): string => createHash('sha256').update(data).digest('hex');

describe('the README', () =>
  it('names every setting with its default, and no other', () => {
    const read = (name: string): string => readFileSync(join(extension, name), 'utf8');
    const { contributes } = JSON.parse(read('package.json')) as {
      contributes: {
        configuration: {
          properties: Record<string, { default: unknown; markdownDeprecationMessage?: string }>;
        }[];
      };
    };
    const shown = (value: unknown): string =>
      value === '' || (Array.isArray(value) && value.length === 0) ? 'empty' : String(value);
    const settings = contributes.configuration
      .flatMap(({ properties }) => Object.entries(properties))
      .filter(([, { markdownDeprecationMessage }]) => markdownDeprecationMessage === undefined);
    const rows = [...read('README.md').matchAll(/^\| `(signalbox\.[\w.]+)` +\| `?([^`|]*?)`? +\|/gm)];
    assert.deepEqual(
      rows.map(([, name, value]) => `${name}: ${value}`).sort(),
      settings.map(([name, setting]) => `${name}: ${shown(setting.default)}`).sort(),
    );
  }));

describe('the web package', () => {
  const vsix = pack('web.vsix', ['--target', 'web']);
  const entries = entriesOf(vsix);

  it('has the browser entry alone, and the server', () => {
    const { main, browser, extensionKind, contributes, capabilities } = manifestOf(vsix);
    assert.deepEqual([main, browser, extensionKind], [undefined, './dist/browser/extension.js', undefined]);
    assert.equal(contributes.walkthroughs, undefined);
    assert.equal(contributes.mcpServerDefinitionProviders, undefined);
    assert.equal(capabilities.virtualWorkspaces.supported, 'limited');
    const names = [...entries.keys()];
    for (const name of ['extension.js', 'worker.js', 'wasm_exec.js', 'signalbox-browser.wasm.gz'])
      assert.ok(names.includes(`extension/dist/browser/${name}`), name);
    assert.ok(!names.some((name) => /^extension\/(bin\/|dist\/extension\.js)/.test(name)));
    for (const { url } of contributes.jsonValidation)
      assert.ok(entries.has(`extension/${url.slice(2)}`), url);
    assert.ok(vsix.length < 6 << 20);
  });

  it('offers nothing that needs a machine', () => {
    const { contributes } = manifestOf(vsix);
    const said = JSON.stringify(contributes);
    for (const name of ['setUp', 'startAgent', 'showChanges', 'attachFiles', 'showAgentTerminal', 'doctor'])
      assert.ok(!said.includes(`"signalbox.${name}"`), name);
    assert.ok(said.includes('"signalbox.turnOnWriting"'));
  });

  for (const name of ['extension.js', 'worker.js']) {
    it(`has no module of Node in ${name}`, () => {
      const text = entries.get(`extension/dist/browser/${name}`)?.data().toString() ?? '';
      assert.ok(text.length > 0);
      assert.doesNotMatch(text, /["'`]node:/);
      const required = [...text.matchAll(/\brequire\(\s*["'`]([^"'`]*)/g)].map((match) => match[1]);
      assert.deepEqual([...new Set(required)], name === 'extension.js' ? ['vscode'] : []);
      assert.doesNotMatch(text, /\bprocess\.|\b__dirname\b/);
    });
  }

  it('is the same bytes on another machine', () => {
    const again = pack('again.vsix', ['--target', 'web'], { TZ: 'Asia/Tokyo', SOURCE_DATE_EPOCH: '1' });
    assert.equal(digest(again), digest(vsix));
  });
});

describe('the other packages', () => {
  it('the universal one has no server, and the desktop entry alone', () => {
    const vsix = pack('universal.vsix', []);
    const { main, browser, extensionKind, capabilities } = manifestOf(vsix);
    assert.deepEqual([main, browser, extensionKind], ['./dist/extension.js', undefined, ['workspace']]);
    assert.equal(capabilities.virtualWorkspaces.supported, false);
    const names = [...entriesOf(vsix).keys()];
    assert.ok(!names.some((name) => /^extension\/(bin|dist\/browser)\//.test(name)));
    assert.equal(digest(pack('universal-again.vsix', [], { TZ: 'America/Lima' })), digest(vsix));
  });

  it('one for a platform has the server, which may be run, and nothing else may', () => {
    const server = join(folder, 'a-server');
    writeFileSync(server, 'x', { mode: 0o700 });
    const entries = entriesOf(pack('linux.vsix', ['--target', 'linux-x64', '--bin', server]));
    assert.equal(entries.get('extension/bin/signalbox')?.mode, 0o755);
    for (const [name, { mode }] of entries)
      if (name.startsWith('extension/') && name !== 'extension/bin/signalbox')
        assert.equal(mode & 0o111, 0, name);
  });
});
