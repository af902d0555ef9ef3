import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { lastLines } from '../../src/web/agentThreads';
import { limits } from '../../src/web/limits';
import { documentOf, knows, look, parseKey, previewOf, tokensOf, type Look } from '../../src/web/look';
import type { Desk, Key } from '../../src/web/model';
import { sorted } from '../../src/web/paths';
import { deskOf, fixture, Workspace } from './setup';

const alice = 'alice@acme.aimaestro.local';
const bob = '0/.agent-messaging/agents/bob';

/** A workspace with something of each format. */
function everything(): Workspace {
  return new Workspace()
    .addFolder('atsf/main', '0')
    .addFolder('atsf/foreign', '0/other/.agent/threads')
    .addFolder('samp/store-spaced', '0/mail')
    .addFolder('agn/amp-chain', '0/.ssot/messages')
    .addFolder('amp/inbox', `${bob}/messages/inbox`)
    .addFolder('amp/sent', `${bob}/messages/sent`);
}

async function lookAt(workspace: Workspace): Promise<{ desk: Desk; seen: Look }> {
  const desk = await deskOf(workspace);
  return { desk, seen: await look(desk, sorted(workspace.files.keys())) };
}

function rowsOf(seen: Look, folder: string): readonly string[] {
  return seen.groups.find((group) => group.folder === folder)?.threads.map(({ title }) => title) ?? [];
}

function keyOf(seen: Look, title: string): Key {
  const row = seen.groups.flatMap(({ threads }) => threads).find((each) => each.title === title);
  assert.ok(row, title);
  return row.key;
}

describe('a look at a workspace', () => {
  it('groups threads by folder, the newest first, and the folder with the newest first', async () => {
    const { seen } = await lookAt(everything());
    assert.deepEqual(
      seen.groups.map(({ format, title }) => [format, title]),
      [
        ['amp', '.agent-messaging'],
        ['samp', 'mail'],
        ['atsf', 'project'],
        ['atsf', 'other'],
      ],
    );
    for (const { threads } of seen.groups) {
      const times = threads.map(({ time }) => time);
      assert.deepEqual(
        times,
        [...times].sort((a, b) => b - a),
      );
    }
    assert.deepEqual(rowsOf(seen, '0'), ['Fix login comparison – ünïcode ✓']);
    assert.equal(rowsOf(seen, '0/mail').length, 26);
    assert.ok(rowsOf(seen, '0/.agent-messaging').includes('Re: Question about the API'));
  });

  it('lists a thread that cannot be read by the name of its folder, and says why', async () => {
    const { seen } = await lookAt(everything());
    const row = seen.groups.flatMap(({ threads }) => threads).find(({ title }) => title === 'major-2');
    assert.match(row?.fault ?? '', /later major version/);
  });

  it('has what is open by severity and then age, and what is overdue', async () => {
    const workspace = new Workspace().addFolder('agn/amp-chain', '0/.ssot/messages');
    const escalation = fixture('agn/amp-chain/06-escalation.json').toString();
    const other = (task: string, severity: string, minute: number): string =>
      escalation
        .replaceAll('T-2026-044', task)
        .replaceAll('1772120327001', String(1772120327001 + minute * 60_000))
        .replace('"critical"', `"${severity}"`)
        .replace('2026-02-26T15:38', `2026-02-26T15:${38 + minute}`);
    workspace.add('0/.ssot/messages/a.json', other('T-2026-101', 'warning', 1));
    workspace.add('0/.ssot/messages/b.json', other('T-2026-102', 'critical', 2));
    const { seen } = await lookAt(workspace);
    assert.deepEqual(
      seen.tasks.open.map(({ severity, taskId }) => [severity, taskId]),
      [
        ['critical', 'T-2026-044'],
        ['critical', 'T-2026-102'],
        ['warning', 'T-2026-101'],
      ],
    );
    assert.ok(seen.tasks.overdue.some(({ title }) => title.includes('did not acknowledge')));
    assert.deepEqual(seen.tasks.rejected, []);
  });

  it('alarms for an escalation that breaks a rule, and leads to its file (AGN X10)', async () => {
    const escalation = fixture('agn/amp-chain/06-escalation.json').toString();
    const workspace = new Workspace()
      .addFolder('agn/amp-chain', '0/.ssot/messages')
      .add('0/.ssot/null.json', escalation.replace('"locked"', 'null').replace('three times', 'four times'))
      .add('0/.ssot/same.json', escalation.replace('"locked"', 'null'))
      .add('0/.ssot/kind.json', escalation.replace('"T-2026-044"', '"X"').replace('"critical"', '"Warning"'));
    const { seen } = await lookAt(workspace);
    assert.deepEqual(
      seen.tasks.open.map(({ severity, file, malformed }) => [severity, file, malformed]),
      [
        ['critical', '0/.ssot/messages/06-escalation.json', undefined],
        ['critical', '0/.ssot/null.json', true],
        ['warning', '0/.ssot/kind.json', true],
      ],
    );
    assert.match(seen.tasks.open[1]?.title ?? '', /^T-2026-044 Hallucination Lock has been triggered/);
    assert.equal(seen.tasks.rejected.length, 3);
  });

  it('lists messages that break a rule, each with the rule, and those that are no JSON', async () => {
    const workspace = new Workspace()
      .addFolder('agn/invalid', '0/ssot')
      .add('0/ssot/messages/x.json', '{"a":');
    const { seen } = await lookAt(workspace);
    const rules = seen.tasks.rejected.map(({ file, rule }) => [file, rule]);
    assert.ok(rules.some(([file, rule]) => file === '0/ssot/E2-version.json' && rule === 'E2'));
    assert.ok(rules.some(([file, rule]) => file === '0/ssot/messages/x.json' && rule === 'E0'));
    assert.ok(rules.length > 20);
  });

  it('counts an ACK and an answer in their folders only', async () => {
    const id = 'escalation-T-2026-044-1772120327001';
    const answer = JSON.stringify({
      format: 'signalbox-resume/1',
      msg_id: id,
      action: 'terminate',
      text: 'enough',
      resumed_at: '2026-02-26T15:40:00Z',
    });
    const workspace = everything().add(`0/.ssot/elsewhere/${id}.json`, answer);
    const before = await lookAt(workspace);
    assert.equal(before.seen.tasks.open.length, 1);
    const resume = await deskOf(workspace).then(({ calls }) =>
      calls.text('agn.buildResume', {
        msgId: id,
        action: 'terminate',
        text: 'enough',
        millis: 1772120400000,
      }),
    );
    const { desk, seen } = await lookAt(everything().add(`0/.ssot/resumes/${id}.json`, resume));
    assert.deepEqual(seen.tasks.open, []);
    const text = await documentOf(desk, seen, { kind: 'task', folder: '0/.ssot', id: 'T-2026-044' });
    assert.match(text, /Answered: terminate/);
  });

  it('finds nothing in an empty workspace', async () => {
    const { seen } = await lookAt(new Workspace());
    assert.deepEqual(seen.groups, []);
    assert.deepEqual(seen.tasks.folders, []);
  });

  it('reads nothing larger than its limits, and says so', async () => {
    const folder = '0/.agent/threads/big';
    const workspace = new Workspace()
      .add(`${folder}/thread.json`, fixture('atsf/foreign/unknown-fields/thread.json'))
      .add(`${folder}/messages.jsonl`, new Uint8Array(limits.log + 1))
      .add('0/mail/log-a.jsonl', new Uint8Array(limits.samp + 1))
      .add('0/mail/log-b.jsonl', fixture('samp/store-spaced/log-legacy.jsonl'));
    const { desk, seen } = await lookAt(workspace);
    const notes = seen.groups.find(({ folder: at }) => at === '0/mail')?.notes;
    assert.equal(notes?.[0], 'log-a.jsonl is too large for a browser.');
    const text = await documentOf(desk, seen, { kind: 'atsf', folder, id: '' });
    assert.match(text, /too large for a browser/);
  });
});

describe('documents', () => {
  it('show a thread of an agent, with thoughts, tools and lines that are no message', async () => {
    const { desk, seen } = await lookAt(everything().addFolder('atsf/foreign', '0/x/.agent/threads'));
    const text = await documentOf(desk, seen, keyOf(seen, 'Fix login comparison – ünïcode ✓'));
    for (const part of [
      '# Fix login',
      '## user · 2026-02-20T09:00:03Z',
      '> **Thought**',
      '**Tool** npm test · failed',
      'Not verified',
    ])
      assert.ok(text.includes(part), part);
    const torn = await documentOf(desk, seen, keyOf(seen, 'partial-last'));
    assert.match(torn, /still being written/);
  });

  it('show a log, and that nothing vouches for it', async () => {
    const { desk, seen } = await lookAt(everything());
    const text = await documentOf(desk, seen, keyOf(seen, 'release-1.4'));
    assert.ok(text.indexOf('Is the changelog ready?') < text.indexOf('Working on it'));
    assert.match(text, /no signatures/);
  });

  it('show a task and an escalation, and that answering needs the desktop', async () => {
    const { desk, seen } = await lookAt(everything());
    const [open] = seen.tasks.open;
    assert.ok(open);
    const text = await documentOf(desk, seen, open.key);
    for (const part of [
      '# Critical: escalation of task T-2026-044',
      'need the desktop',
      '> Suspended: coordinator, executor, reviewer',
      '## Overdue',
      '### review\\_verdict',
    ])
      assert.ok(text.includes(part) || text.includes(part.replace('\\_', '_')), part);
    const gone = await documentOf(desk, seen, { ...open.key, id: 'escalation-T-2026-044-1' });
    assert.match(gone, /no longer there/);
  });

  it('show the newest messages of a long thread, and how many stand before them', async () => {
    const line = (n: number): string =>
      JSON.stringify({
        id: `m${n}`,
        role: 'user',
        timestamp: '2026-02-20T09:00:03.000Z',
        content: [{ type: 'text', text: `no. ${n}.` }],
      });
    const lines = Array.from({ length: limits.shown + 7 }, (_, n) => `${line(n)}\n`).join('');
    const folder = '0/.agent/threads/long';
    const workspace = new Workspace()
      .add(`${folder}/thread.json`, fixture('atsf/foreign/unknown-fields/thread.json'))
      .add(`${folder}/messages.jsonl`, lines);
    const { desk, seen } = await lookAt(workspace);
    const text = await documentOf(desk, seen, { kind: 'atsf', folder, id: '' });
    assert.match(text, /7 earlier messages/);
    assert.ok(
      !text.includes('no. 6.') && text.includes('no. 7.') && text.includes(`no. ${limits.shown + 6}.`),
    );
  });

  it('are opened by keys of what was found alone', async () => {
    const { seen } = await lookAt(everything());
    assert.ok(knows(seen, keyOf(seen, 'release-1.4')));
    assert.ok(!knows(seen, { kind: 'atsf', folder: '0/../secret', id: '' }));
    assert.ok(!knows(seen, { kind: 'task', folder: '0/.ssot', id: 'T-2026-999' }));
    for (const text of [
      '',
      '{}',
      'null',
      '[1]',
      '{"kind":"x","folder":"0","id":""}',
      '{"kind":"task","folder":0,"id":""}',
    ])
      assert.equal(parseKey(text), undefined, text);
  });
});

describe("strangers' words", () => {
  const attempt =
    '<script>alert(1)</script>[run](command:workbench.action.quit)![x](https://example.com/x.png)\u202egnp';
  const live = /<script|\]\(command:|!\[[^\]]*\]\(https?:|\u202e/;

  it('are shown and do nothing, in rows, documents and hovers', async () => {
    const folder = '0/.agent/threads/gift';
    const said = {
      id: 'evil-1',
      role: attempt,
      timestamp: attempt,
      content: [
        { type: 'text', text: attempt },
        { type: attempt, text: attempt },
      ],
    };
    const tool = {
      toolCallId: 'x',
      name: attempt,
      title: attempt,
      status: attempt,
      input: attempt,
      output: `\`\`\`\n${attempt}`,
    };
    const thread = JSON.parse(fixture('atsf/foreign/unknown-fields/thread.json').toString()) as Record<
      string,
      unknown
    >;
    const record = { ts: 1777075200, from: 'mallory', to: 'bob', thread: `gift ${attempt}`, body: attempt };
    const mail = fixture('amp/inbox/01-plain.json').toString();
    const workspace = new Workspace()
      .add(`${folder}/thread.json`, JSON.stringify({ ...thread, title: attempt }))
      .add(`${folder}/messages.jsonl`, `${JSON.stringify({ ...said, toolCalls: [tool] })}\n${attempt}\n`)
      .add('0/mail/log-mallory.jsonl', `${JSON.stringify(record)}\n`)
      .add(
        `${bob}/messages/inbox/m.json`,
        mail
          .replace('Question about the API', JSON.stringify(attempt).slice(1, -1))
          .replace('Can you', JSON.stringify(attempt).slice(1, -1)),
      )
      .add(
        '0/.ssot/messages/m.json',
        fixture('agn/amp-chain/06-escalation.json')
          .toString()
          .replace('Hallucination Lock', JSON.stringify(attempt).slice(1, -1)),
      );
    const { desk, seen } = await lookAt(workspace);
    const keys = [...seen.groups.flatMap(({ threads }) => threads), ...seen.tasks.open, ...seen.tasks.tasks];
    assert.equal(keys.length, 5);
    for (const row of keys) {
      for (const words of [row.title, ...row.facts]) assert.doesNotMatch(words, /[\n\u202e]/);
      assert.doesNotMatch(withoutCode(await documentOf(desk, seen, row.key)), live);
    }
    for (const target of (await tokensOf(desk, seen)).values())
      assert.doesNotMatch(withoutCode(await previewOf(desk, seen, target, 5)), live);
  });
});

/** Returns the parts of Markdown outside of code. */
function withoutCode(markdown: string): string {
  return markdown
    .replace(/^(`{3,}|~{3,})[^\n]*\n[\s\S]*?\n\1$/gm, '')
    .replace(/(?<!`)(`+)(?!`)[^\n]*?(?<!`)\1(?!`)/g, '')
    .replace(/\\[\s\S]/g, '');
}

describe('hovers', () => {
  it('find ids of messages, threads and tasks of all formats', async () => {
    const { desk, seen } = await lookAt(everything());
    const tokens = await tokensOf(desk, seen);
    const cases: readonly (readonly [string, RegExp])[] = [
      ['4e89dfdd5aacfe46', /Working on it/],
      ['release-1.4', /Is the changelog ready/],
      ['T-2026-044', /State: locked/],
      ['escalation-T-2026-044-1772120327001', /escalation/],
      ['msg_1795249958451_30328b7b', /not verified here/],
      ['a1b2c3d4-e5f6-4890-abcd-ef1234567890', /I found the issue/],
      ['22222222-2222-4222-8222-222222222222', /I found the issue/],
    ];
    for (const [token, wanted] of cases) {
      const target = tokens.get(token);
      assert.ok(target, token);
      const preview = await previewOf(desk, seen, target, 5);
      assert.match(preview, wanted);
      assert.match(preview, /[Nn]ot verified/);
      assert.ok(preview.length < 2 * limits.hover, `${token}: ${preview.length}`);
      const { mentions } = await desk.calls.json('mail.links', {}, [`see ${token} or [thread:${token}]`]);
      assert.ok(
        mentions.some((mention) => mention.token === token),
        token,
      );
    }
  });

  it('say that a signature fits a key of the workspace, and never that it is verified', async () => {
    const config = JSON.stringify({ agent: { name: 'alice', address: alice } });
    const at = '0/.agent-messaging/agents/alice';
    const workspace = everything()
      .add(`${at}/config.json`, config)
      .add(`${at}/keys/public.pem`, fixture('amp/keys/alice.public.pem'));
    const { desk, seen } = await lookAt(workspace);
    const preview = async (): Promise<string> => {
      const target = (await tokensOf(desk, seen)).get('msg_1795249958451_30328b7b');
      assert.ok(target);
      return previewOf(desk, seen, target, 1);
    };
    assert.match(await preview(), /The signature matches the key `SHA256:/);
    assert.match(await preview(), /could have put both there/);
    assert.doesNotMatch(await preview(), /verified/);
    workspace.add(`${at}/keys/public.pem`, fixture('amp/keys/carol.public.pem'));
    const again = await lookAt(new Workspace(workspace.files));
    const target = again.seen.tokens.get('msg_1795249958451_30328b7b');
    assert.ok(target);
    assert.match(await previewOf(again.desk, again.seen, target, 1), /does not fit/);
  });

  it('read no private key', async () => {
    const workspace = everything().add(`${bob}/config.json`, '{}').add(`${bob}/keys/private.pem`, 'secret');
    await lookAt(workspace);
    assert.equal(workspace.reads.get(`${bob}/keys/private.pem`), undefined);
  });
});

describe('the last lines of a log', () => {
  const cases: readonly (readonly [string, number, string, number])[] = [
    ['', 2, '', 0],
    ['a\n', 2, 'a\n', 0],
    ['a\nb\n', 2, 'a\nb\n', 0],
    ['a\nb\nc\n', 2, 'b\nc\n', 1],
    ['a\nb\nc', 2, 'b\nc', 1],
    ['a\nb\nc', 1, 'c', 2],
    ['\n\n\n', 1, '\n', 2],
  ];
  for (const [text, count, want, before] of cases) {
    it(`${JSON.stringify(text)}, ${count}`, () => {
      const data = new TextEncoder().encode(text);
      const found = lastLines(data, count);
      assert.equal(text.slice(found.start), want);
      assert.equal(found.before, before);
    });
  }
});
