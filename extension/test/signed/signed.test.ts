// Signed mail: its words, its drafts, and which files may be opened.

import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { isBinary, shownAs } from '../../src/thread/files/attachmentKinds';
import {
  attemptFor,
  formatDraft,
  headerProblems,
  isSigned,
  parseDraft,
  toDraft,
} from '../../src/compose/draft';
import { lookUp } from '../../src/compose/draftFiles';
import type { ComposePreview, Draft, Ref } from '../../src/protocol';
import { previewAsMarkdown } from '../../src/signed/signedText';
import {
  attachmentWords,
  expiryWords,
  isUsable,
  ownBox,
  priorityWords,
  sameSubject,
  scanWords,
} from '../../src/signed/signedWords';
import { withNewest } from '../../src/thread/model';
import { threadAsMarkdown } from '../../src/thread/text';
import { sizeWords, untilWords } from '../../src/when';
import { message, page, status, thread } from '../samples';
import { ampMessage, ampThread, file, mailBox, mailRoot, signedWords } from '../signedSamples';

const ref: Ref = { protocol: 'amp', store: 's', id: 'm/x' };

describe('isSigned', () => {
  for (const [name, to, replyTo, want] of [
    ['an address', 'bob@acme.example', undefined, true],
    ['an alias', 'bob', undefined, false],
    ['a reply to signed mail', 'bob', ref, true],
    ['a reply to other mail', 'bob@acme.example', { ...ref, protocol: 'samp' }, false],
  ] as const) {
    it(name, () => assert.equal(isSigned(to, replyTo), want));
  }
});

describe('a draft of signed mail', () => {
  const draft: Draft = {
    to: 'bob@acme.example',
    body: 'Hi.\n\nThere: you',
    subject: 'Re: build: broken',
    priority: 'high',
    type: 'ci:report',
    context: '{"a": 1.0}',
    attachments: ['/tmp/a b.txt', '/tmp/b.txt'],
  };

  it('is read back as it is written', () => {
    const parsed = parseDraft(formatDraft(draft));
    assert.deepEqual(parsed.problems, []);
    assert.deepEqual(
      parsed.attach.map(({ value }) => value),
      draft.attachments,
    );
    const { attachments = [], context = '' } = draft;
    assert.deepEqual(toDraft(parsed, undefined, { attachments, context }), draft);
  });

  it('has no header that a stranger put into a subject', () => {
    for (const end of ['\n', '\r', '\r\n', '\u2028', '\u2029', '\u0085', '\u000b']) {
      const subject = `Re: x${end}Attach: /etc/passwd${end}${end}body`;
      const parsed = parseDraft(formatDraft({ to: 'bob@acme.example', body: 'mine', subject, replyTo: ref }));
      assert.deepEqual(parsed.attach, [], JSON.stringify(end));
      assert.equal(parsed.body, 'mine');
      assert.equal(parsed.subject, 'Re: x Attach: /etc/passwd body');
    }
  });

  it('has none of it where the mail is not signed', () => {
    const parsed = parseDraft('To: bob\nSubject: s\nAttach: a\n\nx');
    assert.deepEqual(toDraft(parsed, undefined, { attachments: ['/a'], context: '{}' }), {
      to: 'bob',
      body: 'x',
    });
    assert.deepEqual(
      headerProblems(parsed, false).map(({ kind, text, place }) => [kind, text, place.line]),
      [
        ['signedOnly', 'Subject', 1],
        ['signedOnly', 'Attach', 2],
      ],
    );
  });

  it('says nothing of the headers before anybody is named', () =>
    assert.deepEqual(headerProblems(parseDraft('To: \nSubject: s\n\nx'), false), []));

  it('names no thread', () => {
    const parsed = parseDraft('To: b@acme.example\nThread: t\n\nx');
    assert.deepEqual(
      headerProblems(parsed, true).map(({ kind }) => kind),
      ['noThread'],
    );
    assert.equal(toDraft(parsed, undefined).thread, undefined);
  });

  it('lists each attachment with its place, and counts no empty line', () => {
    const { attach, headers } = parseDraft('To: b@c.d\nAttach: one\nAttach:\nAttach: two three\n\nx');
    assert.deepEqual(
      attach.map(({ value, place }) => [value, place.line, place.start]),
      [
        ['one', 1, 8],
        ['two three', 3, 8],
      ],
    );
    assert.equal(headers.length, 4);
  });

  it('takes a new token when anything of it changes, and keeps it for a new stamp', () => {
    let made = 0;
    const token = (): `${string}-${string}-${string}-${string}-${string}` => `t-${++made}-0-0-0`;
    const first = attemptFor(draft, undefined, token);
    assert.equal(attemptFor({ ...draft, stamp: 'other' }, first, token).token, first.token);
    for (const changed of [
      { ...draft, subject: 'x' },
      { ...draft, priority: 'low' },
      { ...draft, type: 'alert' },
      { ...draft, context: '{}' },
      { ...draft, attachments: [] },
    ]) {
      assert.notEqual(attemptFor(changed, first, token).token, first.token, JSON.stringify(changed));
    }
  });
});

describe('lookUp', () => {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-draft-'));
  after(() => rmSync(folder, { recursive: true }));
  const headers = (lines: string): ReturnType<typeof parseDraft> => parseDraft(`To: b@c.d\n${lines}\n\nx`);

  it('makes paths absolute', async () => {
    const text = headers('Attach: a/b.txt\nAttach: ~/c.txt\nAttach: ../d.txt');
    const { attachments } = await lookUp(text, folder);
    assert.deepEqual(attachments, [
      join(folder, 'a/b.txt'),
      join(homedir(), 'c.txt'),
      join(folder, '../d.txt'),
    ]);
  });

  it('needs a folder for a relative path', async () => {
    const { attachments, problems } = await lookUp(headers('Attach: a.txt\nContext: @c.json'), undefined);
    assert.deepEqual(attachments, []);
    assert.deepEqual(
      problems.map(({ kind, place }) => [kind, place.line]),
      [
        ['noFolder', 1],
        ['noFolder', 2],
      ],
    );
  });

  it('reads a context from a file, or takes it as it stands', async () => {
    writeFileSync(join(folder, 'c.json'), '{"n": 1e-7}\n');
    assert.equal((await lookUp(headers('Context: @c.json'), folder)).context, '{"n": 1e-7}\n');
    assert.equal((await lookUp(headers('Context: {"a":"@b"}'), folder)).context, '{"a":"@b"}');
  });

  it('says which file of a context is not there, or too large to be one', async () => {
    writeFileSync(join(folder, 'large.json'), Buffer.alloc((1 << 20) + 1));
    for (const name of ['none.json', 'large.json']) {
      const { context, problems } = await lookUp(headers(`Context: @${name}`), folder);
      assert.equal(context, '');
      assert.deepEqual(
        problems.map(({ kind }) => kind),
        ['noFile'],
        name,
      );
      assert.ok(problems[0]?.text.includes(name));
    }
  });
});

describe('words for signed mail', () => {
  const now = Date.UTC(2026, 10, 21, 12);
  const day = 86_400_000;
  for (const [name, amp, want] of [
    ['no time', {}, ''],
    ['0 is no time', { expires: 0 }, ''],
    ['ahead', { expires: now + 2 * day }, 'expires in 2 days'],
    ['over', { expires: now - 1, expired: true }, 'expired'],
    ['over since it was told', { expires: now - 1 }, 'expired'],
  ] as const) {
    it(`expiry: ${name}`, () => assert.equal(expiryWords(amp, signedWords, now, 'en'), want));
  }

  for (const [ahead, want] of [
    [20_000, 'in 1 minute'],
    [90 * 60_000, 'in 2 hours'],
    [day, 'in 1 day'],
    [59 * day, 'in 59 days'],
    [90 * day, 'Feb 19, 2027'],
  ] as const) {
    it(`until: ${want}`, () => assert.equal(untilWords(now + ahead, now, 'en'), want));
  }

  for (const [bytes, want] of [
    [0, '0 bytes'],
    [1, '1 byte'],
    [999, '999 bytes'],
    [1_530, '1.5 kB'],
    [26_214_400, '26 MB'],
  ] as const) {
    it(`size: ${want}`, () => assert.equal(sizeWords(bytes, 'en'), want));
  }

  it('names a priority where it is remarkable', () =>
    assert.deepEqual(
      (['urgent', 'high', 'normal', 'low'] as const).map((priority) => priorityWords(priority, signedWords)),
      ['urgent', 'high', '', ''],
    ));

  it('counts attachments', () =>
    assert.deepEqual(
      [0, 1, 3].map((count) => attachmentWords(count, signedWords)),
      ['', '1 attachment', '3 attachments'],
    ));

  it('tells a scan that is not known as it stands', () => {
    assert.equal(scanWords('unscanned', signedWords), 'not scanned');
    assert.equal(scanWords('blessed', signedWords), 'blessed');
  });

  for (const [subject, title, want] of [
    ['Build', 'Build', true],
    ['Re: Build', 'Build', true],
    ['RE: Fwd: Build', 'Re: Build', true],
    ['Release', 'Build', false],
    ['Rebuild', 'build', false],
  ] as const) {
    it(`${subject} ${want ? 'says no more than' : 'is another than'} ${title}`, () =>
      assert.equal(sameSubject(subject, title), want));
  }
});

describe('ownBox', () => {
  it("is the user's mailbox of the same directory", () => {
    const state = status({ mailRoots: [mailRoot()] });
    assert.equal(ownBox(ref, state)?.name, 'bob');
    assert.equal(ownBox({ ...ref, store: 'other' }, state), undefined);
  });

  it('is none without a server or an identity', () => {
    assert.equal(ownBox(ref, undefined), undefined);
    const nobody = status({ mailRoots: [mailRoot({ boxes: [mailBox('bob', false)] })] });
    assert.equal(ownBox(ref, nobody), undefined);
  });
});

describe('attachments', () => {
  for (const [name, change, want] of [
    ['as it should be', {}, true],
    ['not there', { present: false }, false],
    ['without a usable name', { name: '' }, false],
    ['with a problem', { problem: 'ATT-22: no digest that is known' }, false],
    ['to be asked about', { problem: 'the scan was suspicious', confirm: true }, true],
    ['to be asked about, and not there', { problem: 'x', confirm: true, present: false }, false],
  ] as const) {
    it(`a file ${name} is ${want ? '' : 'not '}usable`, () => assert.equal(isUsable(file(change)), want));
  }

  for (const [name, type, want] of [
    ['notes.md', 'application/octet-stream', 'text'],
    ['shot.PNG', 'text/plain', 'image'],
    ['drawing.svg', 'image/svg+xml', 'text'],
    ['README', 'text/plain', 'text'],
    ['data', 'application/vnd.api+json; charset=utf-8', 'text'],
    ['data', 'application/octet-stream', undefined],
    ['report.pdf', 'text/plain', undefined],
    ['setup.exe', 'text/plain', undefined],
    ['book.ipynb', 'application/json', undefined],
    ['x.vsix', 'application/json', undefined],
    ['project.code-workspace', 'application/json', undefined],
  ] as const) {
    it(`${name} of type ${type} is shown as ${want ?? 'nothing'}`, () =>
      assert.equal(shownAs(name, type), want));
  }

  it('knows a text from what is none', () => {
    assert.equal(isBinary(Buffer.from('Übung')), false);
    assert.equal(isBinary(Buffer.from('MZ\0\0')), true);
  });
});

describe('a tree of replies', () =>
  it('keeps what stands before the newest page, whatever its time', () => {
    const amp = { thread: thread('t', { amp: ampThread() }) };
    const state = {
      ...amp,
      messages: [message('late', 9), message('b', 2), message('c', 3)],
      older: true,
      newer: false,
      related: [],
      warnings: [],
      requests: [],
      revision: 1,
      marked: 0,
    };
    const next = withNewest(state, page([message('c', 3), message('d', 4)], { ...amp, before: 'x' }));
    assert.deepEqual(
      next.messages.map(({ id }) => id),
      ['late', 'b', 'c', 'd'],
    );
  }));

describe('signed mail as text', () => {
  const words = {
    older: 'older',
    truncated: 'cut',
    gap: '{0}: {1}',
    sessionGap: '{0}',
    keysHidden: 'hidden',
    signed: signedWords,
  };
  const first = message('one', 0, { amp: ampMessage(), from: 'alice@acme.example' });
  const second = message('two', 1, {
    trust: { level: 'warn', label: 'untrusted', detail: 'the signature does not fit' },
    amp: ampMessage({
      subject: '[x](command:y)',
      priority: 'urgent',
      parent: first.ref,
      depth: 1,
      expires: Date.UTC(2026, 0, 2),
      expired: true,
      key: 'SHA256:abc',
      step: 'as stored',
      context: '{\n  "a": "```"\n}',
      flags: ['command_injection', 'new_kind'],
      faults: [{ rule: 'ENV-4', message: 'subject is too long' }],
      attachments: [
        file({ size: 1_530 }),
        file({ name: '', present: false, problem: 'ATT-10: a separator' }),
      ],
    }),
  });
  const text = threadAsMarkdown(page([first, second]), words);

  for (const line of [
    '- Subject: \\[x\\]\\(command:y\\)',
    '- in reply to alice@acme.example',
    '- Priority: urgent · Type: notification',
    '- Trust: untrusted: the signature does not fit',
    '- Key: SHA256:abc',
    '- Signed: as stored',
    '- Expired 2026-01-02T00:00:00Z',
    '- Hint: commands, new_kind',
    '- Breaks rule ENV-4: subject is too long',
    '````json\n{\n  "a": "```"\n}\n````',
    '- a.txt · text/plain · 1.5 kB · not scanned',
    '- \\(no name\\) · text/plain · 12 bytes · not scanned · not here · ATT-10: a separator',
  ]) {
    it(`has ${JSON.stringify(line)}`, () => assert.ok(text.includes(`${line}\n`), text));
  }

  it('names a message that is not here', () => {
    const amp = ampMessage({ missing: 'msg_1_gone', depth: 0 });
    assert.ok(
      threadAsMarkdown(page([message('a', 0, { amp })]), words).includes('- reply to msg_1_gone, not here\n'),
    );
  });
});

describe('what will be signed', () => {
  const words = {
    title: 'What',
    nothing: 'nothing',
    signed: 'Signed ({0} B)',
    payload: 'Payload ({0} B)',
    attachments: 'Files',
    remarks: 'Remarks',
  };
  const preview: ComposePreview = {
    record: '{"message":"Ü```"}',
    id: 'msg_1_a',
    thread: '',
    to: 'bob@acme.example',
    from: 'alice@acme.example',
    log: '',
    profile: '',
    canSend: true,
    warnings: [{ severity: 'warning', rule: 'SIG-4', field: 'context', message: 'others print 1.0 as 1' }],
    protocol: 'amp',
    signed: 'alice@acme.example|bob@acme.example|Hi|normal||abc=',
    attachments: [file()],
  };

  it('is shown to the byte', () => {
    const text = previewAsMarkdown(preview, words);
    assert.ok(text.includes(`## Signed (51 B)\n\n\`\`\`text\n${preview.signed ?? ''}\n\`\`\`\n`), text);
    assert.ok(text.includes('## Payload (19 B)\n\n````json\n{"message":"Ü```"}\n````\n'));
    assert.ok(text.includes('- SIG-4: others print 1.0 as 1\n'));
    assert.ok(text.includes('```text\na.txt · text/plain · 12 bytes\n```\n'));
    assert.ok(text.includes('```text\nalice@acme.example → bob@acme.example\nmsg_1_a\n```\n'));
  });

  it('is nothing before there is anything', () => {
    assert.equal(previewAsMarkdown(undefined, words), '# What\n\nnothing\n');
    assert.ok(previewAsMarkdown({ ...preview, signed: '' }, words).endsWith('nothing\n'));
  });
});
