import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fill } from '../../src/fill';
import { planSteps, planTitle } from '../../src/needs/requestSummary';
import type { NeedRow } from '../../src/needs/row';
import { askingSentence, needRows, sentenceOf } from '../../src/needs/rows';
import { rowWords } from '../../src/needs/rowWords';
import type { NeedItem } from '../../src/protocol';
import { agent, need, question, request } from '../needSamples';
import { thread } from '../samples';
import { escalation, overdue } from '../taskSamples';

const words = rowWords(fill);

function rows(items: readonly NeedItem[], terminal = false): readonly NeedRow[] {
  const facts = { words, terminal: () => terminal, draft: () => false, clock: () => '14:02' };
  const list = (names: readonly string[]): string => names.join(' and ');
  return needRows(items, { t: fill, list, ...facts });
}

function row(item: NeedItem, terminal = false): NeedRow {
  const [made] = rows([item], terminal);
  assert.ok(made !== undefined);
  return made;
}

const coder = agent('a', { state: 'waiting', branch: 'fix/login', folder: '/src/shop-login' });
const asks = (change: Parameters<typeof request>[1]): NeedItem =>
  need({ agent: coder, request: request('1', change), section: 'blocked' });
const command = (text: string) => asks({ input: [{ name: 'command', text }] });

describe('the row of a command', () => {
  it('has it in line 2, and whole when it is open', () => {
    const made = row(command('git push --force'));
    assert.deepEqual(
      [made.who, made.where, made.what, made.code],
      ['coder', 'fix/login', 'git push --force', true],
    );
    assert.equal(made.open, 'Wants to run');
    assert.equal(made.sentence, 'coder in fix/login wants to run git push --force');
    assert.deepEqual([made.tone, made.icon, made.section], ['blocked', 'terminal', 'blocked']);
    assert.ok(made.acts.includes('copy'));
  });

  it('counts its other lines, and says how long a long one is', () => {
    const made = row(command(['\nset -e', ...Array.from({ length: 46 }, () => 'x'), ''].join('\n')));
    assert.equal(made.what, 'set -e');
    assert.deepEqual(made.tags, [{ text: '+47 lines', keep: true }]);
    assert.deepEqual(made.openTags, [{ text: '48 lines', keep: true }]);
    assert.deepEqual(row(command('npm test')).tags, []);
  });

  it('names its risks in the sentence, and says what it is for below', () => {
    const made = row(
      asks({
        input: [
          { name: 'command', text: 'git push -f' },
          { name: 'description', text: 'Push it' },
        ],
        risks: [{ level: 'red', kind: 'forcePush', text: 'Force push: rewrites `x`.' }],
      }),
    );
    assert.equal(made.sentence, 'coder in fix/login wants to run git push -f, force push');
    assert.deepEqual(made.notes, ['Claude Code, in shop-login. It says: “Push it”']);
  });

  it('names the file of another tool', () => {
    const made = row(asks({ tool: 'Edit', input: [{ name: 'file_path', text: '/home/a/src/pay/fee.ts' }] }));
    assert.deepEqual([made.what, made.icon, made.code], ['Edit …/pay/fee.ts', 'edit', false]);
  });
});

describe('the row of a plan', () => {
  const plan =
    '# Move sessions to Postgres\n\n1. Add a table\n2. Write to both\n   - really both\n3. Drop Redis\n';
  it('has its title, and counts its steps', () => {
    const made = row(asks({ kind: 'plan', plan, input: [] }));
    assert.equal(made.what, 'Plan: Move sessions to Postgres');
    assert.deepEqual(made.tags, [{ text: '3 steps' }]);
    assert.equal(made.icon, 'plan');
  });
  it('takes the first line for a title where there is no heading', () => {
    assert.equal(planTitle('1. One\n\nWhat follows\n'), 'What follows');
    assert.equal(planTitle('Plan: go on'), 'go on');
    assert.equal(planTitle('- a\n'), '');
    assert.equal(planSteps('- a\n* b\n2) c\nd'), 3);
    assert.equal(row(asks({ kind: 'plan', plan: '', input: [] })).what, 'Has a plan');
  });
});

describe('the row of a question', () => {
  it('says who asks, where they are at work, and the answers that are short', () => {
    const asked = need({
      question: question('q', { from: 'coder', options: ['yes', 'no'] }),
      from: coder,
      section: 'questions',
    });
    const made = row(asked, true);
    assert.deepEqual(
      [made.who, made.where, made.what, made.tone],
      ['coder', 'fix/login', 'Which licence?', 'asks'],
    );
    assert.deepEqual(made.tags, [{ text: 'yes, no' }]);
    assert.deepEqual(made.options, [{ label: 'yes' }, { label: 'no' }]);
    assert.equal(made.acts[0], 'terminal');
    assert.equal(made.sentence, 'coder in fix/login asks: Which licence?');
  });
  it('is the sentence that asks, since reasons come first', () => {
    for (const [text, want] of [
      ['It touches all. Postgres 14.2 ends soon; it costs a day. Which do we keep?', 'Which do we keep?'],
      ['May I? It is quick.', 'May I?'],
      ['Say yes or no.', 'Say yes or no.'],
      ['Why does a.b?.c fail', 'Why does a.b?.c fail'],
      ['要继续吗？', '要继续吗？'],
    ] as const)
      assert.equal(askingSentence(text), want);
  });
  it('counts long answers', () => {
    const options = ['Keep Postgres 14', 'Move now', 'Later'];
    assert.deepEqual(row(need({ question: question('q', { options }) })).tags, [{ text: '3 options' }]);
  });
  it('of a form is its only question, or how many there are', () => {
    const one = { text: 'How often?', options: [{ label: 'Once' }, { label: 'Twice' }] };
    const single = row(asks({ kind: 'question', questions: [one], input: [] }));
    assert.deepEqual(
      [single.what, single.tone, single.tags],
      ['How often?', 'asks', [{ text: '2 options' }]],
    );
    const two = row(asks({ kind: 'question', questions: [{ ...one, header: 'Retry' }, one], input: [] }));
    assert.equal(two.what, '2 questions: Retry');
  });
});

describe('the other rows', () => {
  it('say what an escalation stops', () => {
    const made = row(
      need({ escalation: escalation('e', { suspended: ['coder', 'docs'] }), section: 'blocked' }),
    );
    assert.deepEqual(made.tags, [{ text: 'stops 2' }]);
    assert.match(made.notes[0] ?? '', /coder and docs are stopped until you answer\.$/);
    assert.ok(made.options.every(({ label }) => label.endsWith('…')));
    assert.equal(made.icon, 'halt');
  });
  it('have the last request of an agent that ended while it waited', () => {
    const ended = { ...coder, state: 'ended', for: 'permission: npm test', permission: 'npm test' } as const;
    const made = row(need({ agent: ended, section: 'blocked' }));
    assert.deepEqual([made.what, made.command, made.tone], ['Ended while it waited', 'npm test', 'bad']);
    assert.deepEqual(
      made.buttons.map(({ label }) => label),
      ['Continue Here…', 'Dismiss'],
    );
    const { command: none, notes } = row(need({ agent: { ...coder, state: 'ended' }, section: 'blocked' }));
    assert.deepEqual([none, notes], [undefined, []]);
  });
  it('lead to the terminal of an agent that can be answered there alone', () => {
    const waiting = { ...coder, client: 'gemini', for: 'Bash' };
    const made = row(need({ agent: waiting, section: 'blocked' }), true);
    assert.equal(made.what, 'Waits: Bash');
    assert.deepEqual(made.notes, ['Gemini CLI takes answers only in its terminal.']);
    assert.equal(made.buttons[0]?.act, 'terminal');
    const wants = row(need({ agent: { ...waiting, permission: 'npx typedoc' }, section: 'blocked' }));
    assert.deepEqual([wants.what, wants.code, wants.icon], ['npx typedoc', true, 'terminal']);
    assert.equal(wants.sentence, 'coder in fix/login wants to run npx typedoc');
    const elsewhere = row(need({ agent: waiting, section: 'blocked' }));
    assert.ok(!elsewhere.buttons.some(({ act }) => act === 'terminal'));
  });
  it('have the last words of a thread that needs a reply', () => {
    const made = row(need({ reply: thread('t', { lastFrom: 'ci', preview: 'It took 41 minutes.' }) }));
    assert.deepEqual([made.who, made.what, made.tone], ['ci', 'It took 41 minutes.', 'quiet']);
    const failed = thread('t', {
      preview: 'exit 2',
      agent: { name: 'release', dir: '/x', threadId: 't', toolCalls: 0, state: 'failed', times: 3 },
    });
    assert.deepEqual(row(need({ thread: failed })).tags, [{ text: '3 times' }]);
    assert.equal(row(need({ thread: failed })).what, 'Failed: exit 2');
    assert.equal(row(need({ overdue: overdue('ack_timeout') })).icon, 'clock');
  });
  it('leave out what this version does not know', () => {
    assert.deepEqual(rows([{ kind: 'question', section: 'questions', urgent: false, time: 0 }]), []);
  });
});

describe('the sentence of a row', () => {
  for (const [parts, want] of [
    [['a', 'b'], 'a, b'],
    [['Which one?', '', 'b'], 'Which one? b'],
    [['a wants to run git add .', 'b'], 'a wants to run git add ., b'],
    [['I stop here.', 'b', 'c'], 'I stop here, b, c'],
    [[], ''],
  ] as const)
    it(want, () => assert.equal(sentenceOf(parts), want));
});

describe('agents of the same name', () => {
  const at = (key: string, branch: string): NeedItem =>
    need({ agent: { ...coder, key, branch }, request: request(key), section: 'blocked' });
  it('are told apart by where they are', () => {
    const made = rows([at('a', 'fix/login'), at('b', 'chore/deps')]);
    assert.deepEqual(
      made.map(({ where, sharesName }) => [where, sharesName]),
      [
        ['fix/login', true],
        ['chore/deps', true],
      ],
    );
  });
  it('in one worktree by program and time too', () => {
    const [first] = rows([at('a', 'chore/deps'), at('b', 'chore/deps')]);
    assert.equal(first?.where, 'Claude Code 14:02 · chore/deps');
  });
  it('are one agent that waits and wrote mail', () => {
    const asked = need({ question: question('q', { from: 'coder' }), section: 'questions' });
    const from = { ...asked, from: { ...coder, key: 'a' } };
    assert.ok(rows([at('a', 'fix/login'), from]).every(({ sharesName }) => !sharesName));
    assert.ok(rows([at('a', 'fix/login'), asked]).every(({ sharesName }) => !sharesName));
  });
  it('are one agent where it waits for two things', () => {
    const one = { ...coder, key: 'a' };
    const both = ['1', '2'].map((id) => need({ agent: one, request: request(id), section: 'blocked' }));
    assert.ok(rows(both).every(({ sharesName }) => !sharesName));
  });
});
