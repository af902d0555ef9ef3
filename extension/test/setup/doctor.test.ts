// What the doctor says of what it found.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fill } from '../../src/fill';
import type { State } from '../../src/setup/facts';
import {
  doctorAsMarkdown,
  doctorSections,
  type DoctorFacts,
  type DoctorRow,
} from '../../src/setup/doctorModel';
import { verdictWords } from '../../src/setup/words';
import { directory, status } from '../samples';

const t = (text: string, ...values: string[]): string => fill(text, ...values);
const sound: DoctorFacts = {
  editor: 'VS Code 1.100.0, linux x64',
  trusted: true,
  command: '/opt/signalbox (bundled)',
  problem: '',
  status: status(),
  settings: [],
  agents: [],
};
const rowsOf = (change: Partial<DoctorFacts>): readonly DoctorRow[] =>
  doctorSections({ ...sound, ...change }, t).flatMap(({ rows }) => rows);
const rowOf = (what: string, change: Partial<DoctorFacts>): DoctorRow | undefined =>
  rowsOf(change).find((row) => row.what === what);
const steps = (row: DoctorRow | undefined): readonly string[] => (row?.steps ?? []).map(({ label }) => label);

describe('the doctor', () => {
  it('finds nothing wrong where nothing is', () =>
    assert.deepEqual(
      rowsOf({}).filter(({ verdict }) => verdict === 'bad'),
      [],
    ));

  const agent: State = { client: 'codex', title: 'Codex', state: 'not set up' };
  const broken: State = {
    ...agent,
    state: 'cannot be read',
    files: [{ path: '/home/bob/.codex/config.toml', reason: 'line 3: no value' }],
  };
  const box = { name: 'bob', address: 'bob@a.local', own: true, signs: false, messages: 0, unread: 0 };
  const root = {
    path: '/amp',
    origin: 'AMP_DIR',
    store: 'a',
    exists: true,
    watching: 'notify',
    messages: 3,
    boxes: [box],
  } as const;
  const tasks = {
    path: '/p/.ssot',
    origin: '.ssot in the workspace',
    store: 't',
    own: true,
    exists: true,
    writable: true,
    watching: 'notify',
    watchdog: false,
    tasks: 4,
    messages: 9,
    rejected: 2,
  } as const;
  const mail = (change: Parameters<typeof directory>[0]): Partial<DoctorFacts> => ({
    status: status({ directories: [directory(change)] }),
  });

  const cases: readonly [
    string,
    string,
    Partial<DoctorFacts>,
    DoctorRow['verdict'],
    RegExp,
    readonly string[],
  ][] = [
    ['a server that runs', 'Server', {}, 'good', /version 0/, ['Restart Server', 'Show Log']],
    [
      'a server that crashed',
      'Server',
      { status: undefined, problem: 'exit status 2' },
      'bad',
      /exit status 2/,
      ['Restart Server', 'Show Log'],
    ],
    [
      'no server at all',
      'Server',
      { status: undefined, command: '', problem: 'no signalbox server found' },
      'bad',
      /no signalbox server found/,
      ['Open Setting', 'Show Log'],
    ],
    ['no trust', 'Workspace', { trusted: false }, 'bad', /only reads/, ['Manage Workspace Trust']],
    [
      'a setting with a wrong value',
      'Setting signalbox.badge',
      { settings: [{ name: 'badge', wanted: 'one of unread, off' }] },
      'bad',
      /one of unread, off/,
      ['Open Setting'],
    ],
    [
      'a name that is none',
      'Your name',
      { status: status({ alias: 'b b', aliasValid: false }) },
      'bad',
      /setting signalbox\.alias/,
      ['Your Name…'],
    ],
    ['a directory', 'Message directory', {}, 'good', /messages: 1 · setting/, ['Choose Another…']],
    [
      'a directory that does not exist yet',
      'Message directory',
      mail({ exists: false }),
      'fact',
      /the first message makes it/,
      ['Choose Another…'],
    ],
    [
      'a directory that cannot be written',
      'Message directory',
      mail({ writable: false }),
      'bad',
      /cannot be written/,
      ['Choose Another…'],
    ],
    [
      'a directory with forged mail',
      'Message directory',
      mail({ suspicious: 2 }),
      'bad',
      /may be forged: 2/,
      ['Show Suspicious', 'Choose Another…'],
    ],
    [
      'a mailbox without a key',
      'Your mailbox',
      { status: status({ mailRoots: [root] }) },
      'bad',
      /no key to sign with/,
      ['Open Setting'],
    ],
    [
      'mailboxes, none of them yours',
      'Your mailbox',
      { status: status({ mailRoots: [{ ...root, boxes: [{ ...box, own: false }] }] }) },
      'bad',
      /there are: bob/,
      ['Open Setting'],
    ],
    [
      'tasks that break rules',
      'Task directory',
      { status: status({ ssots: [tasks] }) },
      'bad',
      /tasks: 4, messages that break a rule: 2/,
      ['Open Setting'],
    ],
    ['an agent that is not set up', 'Codex', { agents: [agent] }, 'fact', /^$/, ['Set Up…']],
    ['an agent that is', 'Codex', { agents: [{ ...agent, state: 'set up' }] }, 'good', /^$/, []],
    [
      'settings of an agent that cannot be read',
      'Codex',
      { agents: [broken] },
      'bad',
      /line 3/,
      ['Open File'],
    ],
    [
      'an agent whose hooks are off',
      'Codex',
      { agents: [{ ...broken, state: 'switched off' }] },
      'bad',
      /line 3/,
      ['Open File'],
    ],
    ['programs that are not known', 'Programs', { agents: 'exit status 3' }, 'bad', /exit status 3/, []],
    [
      'a remark about a file',
      'L5',
      {
        status: status({
          warnings: [{ rule: 'L5', message: 'log-bob.jsonl: is a directory', path: '/m/log-bob.jsonl' }],
        }),
      },
      'bad',
      /^$/,
      ['Open File'],
    ],
  ];
  for (const [name, what, change, verdict, why, wanted] of cases)
    it(name, () => {
      const row = rowOf(what, change);
      assert.equal(row?.verdict, verdict);
      assert.match(row.why, why);
      assert.deepEqual(steps(row), wanted);
    });

  it('says each verdict by a sign and a word', () =>
    assert.deepEqual(Object.values(verdictWords(t)), ['✓ OK', '✗ Problem', '– Note']));

  it('has the same rows as text, in which a path is no markup', () => {
    const text = doctorAsMarkdown(doctorSections({ ...sound, ...mail({ path: '/m/[x](command:y)' }) }, t), t);
    assert.match(
      text,
      /^- ✓ OK: Message directory: \/m\/\\\[x\\\]\\\(command:y\\\) \(messages: 1 · setting\)$/m,
    );
    assert.match(text, /^- ✓ OK: Server: /m);
  });
});
