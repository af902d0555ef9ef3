// The small modules: crashes, tokens, times, refs, errors, messages of the view.

import { negotiate } from '../src/server/negotiation';
import { causeOf, describeError, isAnswer, isCancelled, isError, NotRunning } from '../src/server/failures';
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { CrashPolicy } from '../src/server/crashes';
import { type Asset } from '../src/protocol';
import { documentNameOf, fileNameOf, folderName, parseRef, readRef } from '../src/refs';
import { imageAddress } from '../src/thread/messages';
import { httpsAddress } from '../src/views/messages';
import { threadAsMarkdown } from '../src/thread/text';
import { compilePatterns, tokensAt } from '../src/links/tokens';
import { commandLink, withoutLinks } from '../src/strangers';
import { age, durationWords, exactTime, relativeTime, waitedWords } from '../src/when';
import { message, page, thread } from './samples';
import { signedWords } from './signedSamples';

describe('CrashPolicy', () => {
  it('stops at the fifth crash within three minutes', () => {
    const policy = new CrashPolicy();
    const answers = [0, 1, 2, 3, 4].map((minute) => policy.crashed(minute * 30_000));
    assert.deepEqual(answers, ['restart', 'restart', 'restart', 'restart', 'stop']);
  });

  it('forgets crashes that are three minutes old', () => {
    const policy = new CrashPolicy();
    const answers = [0, 1, 2, 3, 4, 5, 6, 7].map((minute) => policy.crashed(minute * 60_000));
    assert.ok(answers.every((answer) => answer === 'restart'));
  });

  it('begins anew after a reset', () => {
    const policy = new CrashPolicy(2);
    policy.crashed(0);
    policy.reset();
    assert.equal(policy.crashed(1), 'restart');
    assert.equal(policy.crashed(2), 'stop');
  });
});

describe('tokensAt', () => {
  const refused: string[] = [];
  const patterns = compilePatterns(
    [
      { kind: 'id', pattern: '\\b[0-9a-f]{16}\\b', flags: '' },
      { kind: 'name', pattern: '\\b\\d{4}-\\d{2}-\\d{2}-[a-z0-9-]+', flags: 'gy' },
      // The server's own patterns: for a thread named in a text, and for AMP/1.0.
      { kind: 'thread', pattern: '\\[thread:([^\\]]+)\\]', flags: 'g' },
      {
        kind: 'message',
        pattern:
          '\\b(?:task_dispatch|task_result|review_request|review_verdict|escalation)-T-[0-9]{4}-[0-9]{3,9}-[0-9]{1,16}\\b',
        flags: 'g',
      },
      { kind: 'thread', pattern: '(?:^|[^A-Za-z0-9_-])(T-[0-9]{4}-[0-9]{3,9})\\b', flags: 'g' },
      { kind: 'bad', pattern: '(', flags: '' },
    ],
    ({ kind }) => refused.push(kind),
  );
  const line = 'see 0123456789abcdef and 2026-04-25-alice-x.';

  it('reports a pattern it cannot compile, and goes on', () => {
    assert.deepEqual(refused, ['bad']);
    assert.equal(patterns.length, 5);
  });

  for (const [name, character, want] of [
    ['inside', 10, ['0123456789abcdef']],
    ['at the first character', 4, ['0123456789abcdef']],
    ['at the end', 20, ['0123456789abcdef']],
    ['before it', 3, []],
    ['between', 22, []],
    ['in a thread name', 30, ['2026-04-25-alice-x']],
  ] as const) {
    it(name, () =>
      assert.deepEqual(
        tokensAt(line, character, patterns).map(({ text }) => text),
        want,
      ),
    );
  }

  const message = 'task_dispatch-T-2026-007-1772107200000';
  for (const [name, text, want] of [
    ['a thread that is named, without what names it', '[thread:thr^ead]', ['thread@8']],
    ['nothing in what names it', '[thr^ead:thread]', []],
    ['a task', '(T-20^26-007)', ['T-2026-007@1']],
    ['a task at the start of the line', '^T-2026-007 T-2026-008', ['T-2026-007@0']],
    ['the second of two tasks', 'T-2026-007 ^T-2026-008', ['T-2026-008@11']],
    ["a task in a file's name", 'tasks/T-2026^-007.json', ['T-2026-007@6']],
    ['a subtask', 'T-2026-044^-S1', ['T-2026-044@0']],
    ["a message of AMP/1.0, and not its id's task", `re ${message.replace('T-', 'T-^')}.`, [`${message}@3`]],
    ['a task number of another length', 'T-2026-1234^567890', []],
  ] as const) {
    it(`finds ${name}`, () => {
      const found = tokensAt(text.replace('^', ''), text.indexOf('^'), patterns);
      assert.deepEqual(
        found.map(({ text, start }) => `${text}@${String(start)}`),
        want,
      );
      for (const { text: part, start, end } of found) {
        assert.equal(text.replace('^', '').slice(start, end), part);
      }
    });
  }

  it('gives the place within the line, also far into a long one', () => {
    const long = `${'x'.repeat(100_000)} 0123456789abcdef`;
    const [token] = tokensAt(long, 100_005, patterns);
    assert.deepEqual(token, { text: '0123456789abcdef', start: 100_001, end: 100_017 });
  });
});

describe('relativeTime', () => {
  const now = Date.UTC(2026, 10, 21, 12);
  for (const [name, time, want] of [
    ['now', now - 5_000, 'now'],
    ['minutes', now - 5 * 60_000, '5 min. ago'],
    ['hours', now - 3 * 3_600_000, '3 hr. ago'],
    ['days', now - 2 * 86_400_000, '2 days ago'],
    ['a date', now - 30 * 86_400_000, 'Oct 22'],
    ['a date of another year', Date.UTC(2024, 0, 5, 12), 'Jan 5, 2024'],
    ['beyond the calendar', 1e18, '1000000000000000000'],
  ] as const) {
    it(name, () => assert.equal(relativeTime(time, now, 'en'), want));
  }

  it('does not call a time in the future past', () =>
    assert.match(relativeTime(now + 3 * 3_600_000, now, 'en'), /Nov 21/));

  it('has an exact form to the second', () => {
    assert.match(exactTime(now, 'en'), /2026.*:00:00/);
    assert.equal(exactTime(1e18, 'en'), '1000000000000000000');
  });
});

describe('refs', () => {
  const ref = { protocol: 'samp', store: 's', id: 'i' };
  it('reads back a ref and drops what does not belong', () => {
    assert.deepEqual(readRef({ ...ref, more: 1 }), ref);
    assert.deepEqual(parseRef(JSON.stringify(ref)), ref);
  });
  for (const bad of [undefined, null, 1, 'x', {}, { ...ref, id: 1 }, { protocol: 'samp', store: 's' }]) {
    it(`refuses ${JSON.stringify(bad)}`, () => assert.equal(readRef(bad), undefined));
  }
  it('refuses text that is no JSON', () => assert.equal(parseRef('{'), undefined));
  for (const [title, want] of [
    ['2026-04-25-alice-x', '2026-04-25-alice-x'],
    ['../../etc/passwd', 'etc passwd'],
    ['a\u202eb\nc', 'a b c'],
    ['???', ''],
  ] as const) {
    it(`names a file after ${JSON.stringify(title)}`, () => assert.equal(fileNameOf(title), want));
  }
});

describe("names of strangers' files", () => {
  for (const [path, want] of [
    ['src/auth.ts', 'auth.ts'],
    ['C:\\src\\auth.ts', 'auth.ts'],
    ['../../etc/passwd', 'passwd'],
    ['src/.gitignore', 'gitignore'],
    ['', 'file'],
    ['a/\u202egnp.exe', 'gnp.exe'],
    [`${'x'.repeat(80)}.go`, `${'x'.repeat(60)}.go`],
    ['note.ipynb', 'note.ipynb.txt'],
    ['logo.PNG', 'logo.PNG.txt'],
  ] as const) {
    it(`calls the document of ${JSON.stringify(path)} ${want}`, () =>
      assert.equal(documentNameOf(path), want));
  }
  it('gives the last part of a folder', () => {
    assert.equal(folderName('/home/dev/shop-audio/'), 'shop-audio');
    assert.equal(folderName('C:\\work\\shop'), 'shop');
    assert.equal(folderName('/'), '/');
    assert.equal(folderName(''), '');
  });
});

describe('negotiate', () => {
  for (const [name, experimental, want] of [
    ['the same version', { signalbox: { min: 1, max: 1 } }, 1],
    ['a newer server that still speaks ours', { signalbox: { min: 1, max: 3 } }, 1],
    ['a server too new', { signalbox: { min: 2, max: 3 } }, undefined],
    ['no answer', undefined, undefined],
    ['another shape', { signalbox: { min: '1', max: 1 } }, undefined],
  ] as const) {
    it(name, () => assert.equal(negotiate(experimental), want));
  }
});

describe('errors', () => {
  const failed = Object.assign(new Error('no such thread'), { code: 1001, data: { detail: 'x.jsonl:3' } });
  it('are told with their detail', () => assert.equal(describeError(failed), 'no such thread (x.jsonl:3)'));
  it('are told without what they lack', () => {
    assert.equal(describeError(new Error('plain')), 'plain');
    assert.equal(describeError('text'), 'text');
  });
  it('are recognised by their code', () => {
    assert.ok(isError(failed, 'NotFound'));
    assert.ok(!isError(failed, 'Untrusted'));
    assert.ok(isCancelled({ code: -32800 }));
    assert.ok(!isCancelled(failed));
  });
  it('tell a refusal from a connection that was lost', () => {
    assert.ok(isAnswer(failed));
    for (const error of [
      { code: -32097 },
      { code: 2 },
      { code: -32800 },
      new NotRunning('gone'),
      new Error('plain'),
    ])
      assert.ok(!isAnswer(error), causeOf(error));
  });
});

describe('imageAddress', () => {
  const image: Asset = { asset: 'a', mimeType: 'image/png', base64: 'iVBORw0KGgo=' };
  it('takes a raster image in base64', () =>
    assert.equal(imageAddress(image), 'data:image/png;base64,iVBORw0KGgo='));
  for (const [name, change] of [
    ['SVG', { mimeType: 'image/svg+xml' }],
    ['HTML', { mimeType: 'text/html' }],
    ['a type with more in it', { mimeType: 'image/png;x' }],
    ['no content', { base64: '' }],
    ['what is no base64', { base64: '<svg>' }],
    ['a second address', { base64: 'AA==,data:text/html' }],
  ] as const) {
    it(`refuses ${name}`, () => {
      // From a server that violates the protocol.
      assert.equal(imageAddress({ ...image, ...change } as Asset), undefined);
    });
  }
});

describe('durationWords', () => {
  for (const [millis, want] of [
    [0, '0 ms'],
    [340, '340 ms'],
    [2_412, '2.4 sec'],
    [59_940, '59.9 sec'],
    [59_960, '1 min'],
    [72_000, '1 min 12 sec'],
    [3_599_999, '1 hr'],
    [3_900_000, '1 hr 5 min'],
  ] as const) {
    it(`${millis} ms`, () => assert.equal(durationWords(millis, 'en'), want));
  }
});

describe('httpsAddress', () => {
  for (const [href, want] of [
    ['https://example.com/a?b#c', 'https://example.com/a?b#c'],
    ['http://example.com/', undefined],
    ['command:workbench.action.quit', undefined],
    ['javascript:alert(1)', undefined],
    ['vscode://x/y', undefined],
    ['file:///etc/passwd', undefined],
    ['https://good.example@evil.example/', undefined],
    ['//example.com', undefined],
    ['', undefined],
  ] as const) {
    it(JSON.stringify(href), () => assert.equal(httpsAddress(href), want));
  }
});

describe('withoutLinks', () => {
  for (const [text, want] of [
    ['bob@acme.example', 'bob&#64;acme.example'],
    ['see http://a.example and ftp://b.example', 'see http&#58;//a.example and ftp&#58;//b.example'],
    ['WWW.example.com', 'WWW&#46;example.com'],
    ['10:30, a: b', '10:30, a: b'],
  ] as const) {
    it(text, () => assert.equal(withoutLinks(text), want));
  }
});

describe('threadAsMarkdown', () => {
  const words = {
    older: 'older',
    truncated: 'cut',
    gap: 'line {0}: {1}',
    sessionGap: 'record: {0}',
    keysHidden: 'keys hidden',
    signed: signedWords,
  };
  it('keeps what was said inside its fence', () => {
    const text = threadAsMarkdown(
      page([message('a', 0, { text: 'x\n```\n![i](https://example.com/i.png)' })]),
      words,
    );
    assert.match(text, /\n````text\nx\n```\n!\[i\]\(https:\/\/example.com\/i.png\)\n````\n/);
  });
  it('escapes markup in names and titles', () => {
    const text = threadAsMarkdown(page([message('a', 0, { from: '[x](command:y)' })]), words);
    assert.ok(text.includes('\\[x\\]\\(command:y\\)'));
  });
  it('escapes underscores where they are markup, and leaves those of ids', () => {
    const text = threadAsMarkdown(page([message('msg_1_a', 0, { from: '_x_ a__b' })]), words);
    assert.ok(text.includes('\n## \\_x\\_ a\\_\\_b → bob'), text);
    assert.ok(text.includes('\nmsg_1_a ·'));
  });
  it('says what it leaves out', () => {
    const text = threadAsMarkdown(page([message('a', 0, { truncated: true })], { before: 'c' }), words);
    assert.ok(text.includes('_older_') && text.includes('_cut_'));
  });
  const turn = { role: 'agent', model: 'm-1', parts: [] };
  it('keeps a turn inside its fence, as the Markdown it is', () => {
    const given = message('a', 0, { to: '', turn, text: '> thought\n\n```diff\n-x\n```' });
    const text = threadAsMarkdown(page([given]), words);
    assert.match(
      text,
      /\n## alice, 1970.*\n\na · agent · m-1\n\n````markdown\n> thought\n\n```diff\n-x\n```\n````\n/,
    );
  });
  it('marks a line that is no message, with its number and the reason', () => {
    const gap = message('a', 0, { turn: { role: '', gap: 'M2: <no> {0}', parts: [] } });
    assert.ok(threadAsMarkdown(page([gap]), words).includes('> line 1: M2: \\<no\\> \\{0\\}\n'));
    const record = { ...gap, origin: { log: '', line: 0 } };
    assert.ok(threadAsMarkdown(page([record]), words).includes('> record: M2: \\<no\\> \\{0\\}\n'));
  });
  it('says between which agents a message of a session is, and that keys in it are hidden', () => {
    const given = message('a', 0, { from: 'lead', to: 'helper', turn, marks: ['masked'] });
    const text = threadAsMarkdown(page([given]), words);
    assert.match(text, /\n## lead → helper, 1970.*\n\na · agent · m-1 · keys hidden\n/);
  });
  it('says why thread.json cannot be read', () => {
    const agent = { name: 'A', dir: 'd', threadId: '', toolCalls: 0, fault: 'T1: torn' };
    assert.ok(threadAsMarkdown(page([], { thread: thread('t', { agent }) }), words).includes('> T1: torn\n'));
  });
  it('gives times in UTC', () =>
    assert.ok(
      threadAsMarkdown(page([message('a', 1_777_075_200_000)]), words).includes('2026-04-25T00:00:00Z'),
    ));
});

describe('commandLink', () => {
  it('lets no words of a stranger end the link or begin another', () => {
    const link = commandLink(
      '](command:evil) [x](http://e.example) <b>$(bug)\nwww.e.example',
      'signalbox.openNeed',
      'thread a)b"](command:evil)',
    );
    assert.equal((link.match(/(?<!\\)\]\(/g) ?? []).length, 1);
    assert.doesNotMatch(link, /\n|(?<!\\)<|:\/\/|www\./);
    assert.ok(link.endsWith(')') && link.includes('](command:signalbox.openNeed?%5B%22thread%20a%29b'));
    const [, sent = ''] = /\?([^)]*)\)$/.exec(link) ?? [];
    assert.deepEqual(JSON.parse(decodeURIComponent(sent)), ['thread a)b"](command:evil)']);
  });
});

describe('age', () => {
  const now = Date.UTC(2026, 2, 4, 12);
  for (const [back, want] of [
    [0, 'now'],
    [5 * 60_000, '5m'],
    [3 * 3_600_000, '3h'],
    [2 * 86_400_000, '2d'],
    [8 * 86_400_000, 'Feb 24'],
  ] as const) {
    it(want, () => assert.equal(age(now - back, now, 'en'), want));
  }
});

describe('how long something has waited', () => {
  for (const [millis, want] of [
    [-5, '0 seconds'],
    [12_000, '12 seconds'],
    [60_000, '1 minute'],
    [12 * 60_000 + 5_000, '12 minutes'],
    [2 * 3_600_000, '2 hours'],
    [9 * 86_400_000, '9 days'],
  ] as const)
    it(want, () => assert.equal(waitedWords(millis, 'en'), want));
});
