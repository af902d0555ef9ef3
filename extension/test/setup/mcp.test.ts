// The tools for VS Code's own agents, with an API that stands in for VS Code's.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  offerTools,
  takesTools,
  type ToolHost,
  type ToolServers,
  type ToolSource,
} from '../../src/setup/mcp';

type Folder = ReturnType<ToolSource['folders']>[number];

class Definition {
  cwd?: Folder['uri'];
  readonly given: readonly unknown[];
  constructor(...given: readonly unknown[]) {
    this.given = given;
  }
}

/** Registers with such an API and returns what it was given. */
function offered(change: Partial<ToolSource> = {}) {
  const given: { id: string; provider: ToolServers }[] = [];
  const warnings: string[] = [];
  const disposed = { dispose: () => undefined };
  const host: ToolHost = {
    lm: {
      registerMcpServerDefinitionProvider: (id, provider) => {
        given.push({ id, provider });
        return disposed;
      },
    },
    McpStdioServerDefinition: Definition,
  };
  const disposable = offerTools(host, {
    trusted: () => true,
    folders: () => [folder('coder')],
    program: () => Promise.resolve('/state/bin/signalbox'),
    version: '1.2.3',
    changed: () => disposed,
    warn: (text) => warnings.push(text),
    ...change,
  });
  assert.equal(disposable, disposed);
  const [first] = given;
  assert.ok(first !== undefined && given.length === 1);
  return { ...first, warnings };
}

function folder(name: string): Folder {
  return { name, uri: { fsPath: `/w/${name}` } as Folder['uri'] };
}

describe('offerTools', () => {
  it('starts the server of tools in the folder', async () => {
    const { id, provider } = offered();
    assert.equal(id, 'signalbox.mail');
    const [server, ...more] = (await provider.provideMcpServerDefinitions()) as Definition[];
    assert.deepEqual(
      [server?.given, server?.cwd?.fsPath, more.length],
      [['Signalbox', '/state/bin/signalbox', ['mcp'], {}, '1.2.3'], '/w/coder', 0],
    );
  });

  it('tells several folders apart', async () => {
    const { provider } = offered({ folders: () => [folder('a'), folder('b')] });
    const servers = (await provider.provideMcpServerDefinitions()) as Definition[];
    assert.deepEqual(
      servers.map(({ given }) => given[0]),
      ['Signalbox (a)', 'Signalbox (b)'],
    );
  });

  it('gives an untrusted workspace, and a window without folders, nothing', async () => {
    for (const change of [{ trusted: () => false }, { folders: () => [] }])
      assert.deepEqual(await offered(change).provider.provideMcpServerDefinitions(), []);
  });

  it('gives nothing where there is no program, and says why', async () => {
    const { provider, warnings } = offered({ program: () => Promise.reject(new Error('no server')) });
    assert.deepEqual(await provider.provideMcpServerDefinitions(), []);
    assert.deepEqual(warnings, ['tools: no server']);
  });

  it('does nothing in an older VS Code', () => {
    for (const host of [{}, { lm: {} }, { McpStdioServerDefinition: Definition }] satisfies ToolHost[]) {
      assert.equal(takesTools(host), false);
      assert.equal(offerTools(host, {} as ToolSource), undefined);
    }
  });
});
