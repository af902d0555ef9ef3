// The manifest's promises to VS Code. The table of conventions names existing tests.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';

interface Setting {
  readonly default: unknown;
  readonly scope: string;
  readonly markdownDeprecationMessage?: string;
}

interface Manifest {
  readonly extensionKind: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: {
      readonly supported: string;
      readonly restrictedConfigurations: readonly string[];
    };
  };
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly title: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command: string; readonly when?: string }[]>>;
    readonly keybindings: readonly {
      readonly key: string;
      readonly when?: string;
      readonly args?: unknown;
    }[];
    readonly configuration: readonly {
      readonly title: string;
      readonly properties: Readonly<Record<string, Setting>>;
    }[];
    readonly viewsWelcome: readonly { readonly contents: string }[];
  };
}

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const manifest = read('package.json') as Manifest;
const words = read('package.nls.json') as Readonly<Record<string, string>>;
const { contributes, capabilities, extensionKind } = manifest;
const settings = Object.assign(
  {},
  ...contributes.configuration.map(({ properties }) => properties),
) as Readonly<Record<string, Setting>>;

describe('the manifest', () => {
  it('binds keys only where its own views or documents have the focus', () => {
    const own =
      /(?:focusedView|activeCustomEditorId|activeWebviewPanelId|resourceScheme) (?:== |=~ \/\^)signalbox/;
    for (const { key, when = '' } of contributes.keybindings) assert.match(when, own, key);
  });

  it('selects no group by a key, which would fold it', () => {
    const selecting = contributes.keybindings.filter(({ args }) =>
      JSON.stringify(args ?? '').includes('"list.select"'),
    );
    assert.ok(selecting.length > 5);
    for (const { key, when = '' } of selecting)
      assert.match(when, /&& !treeElementCanCollapse && !treeElementCanExpand/, key);
  });

  it('lets no untrusted workspace choose a program, a folder or a name', () => {
    assert.equal(capabilities.untrustedWorkspaces.supported, 'limited');
    const restricted = new Set(capabilities.untrustedWorkspaces.restrictedConfigurations);
    for (const name of [
      'alias',
      'directories',
      'server.path',
      'amp.directory',
      'amp.identity',
      'tasks.directory',
      'ssot',
      'sessions',
    ])
      assert.ok(restricted.has(`signalbox.${name}`), name);
    assert.equal(settings['signalbox.server.path']?.scope, 'machine');
  });

  it('runs where the files are', () => assert.deepEqual(extensionKind, ['workspace']));

  it('has the settings and defaults that are documented', () => {
    const wanted: Readonly<Record<string, unknown>> = {
      alias: '',
      directories: [],
      'server.path': '',
      notifications: 'critical',
      sessions: true,
      badge: 'needsYou',
      'read.updateWatermark': false,
      'hover.maxMessages': 5,
      'trace.server': 'off',
    };
    for (const [name, value] of Object.entries(wanted))
      assert.deepEqual(settings[`signalbox.${name}`]?.default, value, name);
  });

  it('groups its settings, and names none after a file format or folder', () => {
    const titles = contributes.configuration.map(({ title }) => words[title.slice('%'.length, -1)]);
    assert.deepEqual(titles, ['Mail', 'Agents', 'Tasks', 'Signed Mail', 'Advanced']);
    for (const [name, { markdownDeprecationMessage }] of Object.entries(settings))
      if (markdownDeprecationMessage === undefined) assert.doesNotMatch(name, /ssot|samp/, name);
  });

  it('has one filter in the palette, and commands about tasks where there are tasks', () => {
    const palette = contributes.menus['commandPalette'] ?? [];
    const when = (command: string): string | undefined =>
      palette.find((entry) => entry.command === command)?.when;
    const filters = contributes.commands.filter(({ command }) => command.startsWith('signalbox.filter'));
    assert.deepEqual(
      filters.map(({ command }) => command).filter((command) => when(command) !== 'false'),
      ['signalbox.filterAll', 'signalbox.filterInbox'],
    );
    for (const name of ['openEscalation', 'respondToEscalation', 'acknowledgeEscalation'])
      assert.equal(when(`signalbox.${name}`), 'signalbox.hasTasks', name);
  });

  it('has no words of its own making', () => {
    const internal = /\b(torn|spaced|as stored|ssot|op|the mark|watermarks?)\b|where does/i;
    // Names that users type are in code spans.
    for (const [key, text] of Object.entries(words))
      assert.doesNotMatch(text.replace(/`[^`]*`|command:\S+/g, ''), internal, key);
  });

  it('keeps the words of its manifest where they can be translated', () => {
    const texts = [
      ...contributes.commands.map(({ title }) => title),
      ...contributes.viewsWelcome.map(({ contents }) => contents),
    ];
    for (const text of texts) {
      const key = /^%(.+)%$/.exec(text)?.[1];
      assert.ok(key !== undefined && words[key] !== undefined, text);
    }
  });
});

describe('the table of conventions', () => {
  const table = readFileSync(join('..', 'docs', 'editor-conventions.md'), 'utf8');
  const cited = [...table.matchAll(/([\w./]+\.test\.(?:ts|mjs)) › ([^|;\n]+)/g)];

  it('names tests that there are', () => {
    assert.ok(cited.length > 40, `${cited.length} tests are named`);
    for (const [, file = '', title = ''] of cited) {
      const path = [join('e2e', file), join('test', file)].find((each) => existsSync(each));
      assert.ok(path !== undefined, file);
      assert.ok(readFileSync(path, 'utf8').includes(`'${title.trim()}'`), `${file} › ${title}`);
    }
  });
});
