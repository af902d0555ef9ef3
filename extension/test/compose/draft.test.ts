import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { attemptFor, formatDraft, parseDraft, toDraft } from '../../src/compose/draft';
import { sendingOnce } from '../../src/compose/sendOnce';
import type { Server } from '../../src/server/client';

describe('parseDraft', () => {
  const cases = [
    {
      name: 'all parts',
      text: 'To: alice\nThread: t-1\n\nHello\nthere',
      to: 'alice',
      thread: 't-1',
      body: 'Hello\nthere',
    },
    { name: 'no thread line', text: 'To: alice\n\nHello', to: 'alice', thread: '', body: 'Hello' },
    { name: 'an empty thread', text: 'To: alice\nThread:\n\nHello', to: 'alice', thread: '', body: 'Hello' },
    {
      name: 'carriage returns',
      text: 'To: alice\r\nThread: t\r\n\r\nHello\r\nyou',
      to: 'alice',
      thread: 't',
      body: 'Hello\nyou',
    },
    { name: 'any case and spacing', text: 'tO :  alice  \n\nx', to: 'alice', thread: '', body: 'x' },
    { name: 'a body that looks like a header', text: 'To: a\n\nTo: b', to: 'a', thread: '', body: 'To: b' },
    {
      name: 'blank lines in the body',
      text: 'To: a\n\n\n\nx\n\ny\n\n',
      to: 'a',
      thread: '',
      body: '\n\nx\n\ny',
    },
    { name: 'a thread with a colon', text: 'To: a\nThread: x: y\n\nz', to: 'a', thread: 'x: y', body: 'z' },
    { name: 'nothing', text: '', to: '', thread: '', body: '' },
  ];
  for (const { name, text, to, thread, body } of cases) {
    it(name, () => {
      const parsed = parseDraft(text);
      assert.deepEqual({ to: parsed.to, thread: parsed.thread, body: parsed.body }, { to, thread, body });
    });
  }

  it('names what it cannot read, with its place', () => {
    const { problems } = parseDraft('To: a\nCc: b\nTo: c\nnonsense\n\nbody');
    assert.deepEqual(
      problems.map(({ kind, place }) => [kind, place.line]),
      [
        ['unknownHeader', 1],
        ['repeated', 2],
        ['noColon', 3],
      ],
    );
  });

  it('misses the blank line before the body', () =>
    assert.deepEqual(
      parseDraft('To: a').problems.map(({ kind }) => kind),
      ['noBody'],
    ));

  it('places each field where its value stands', () => {
    const { places, bodyLine } = parseDraft('To:  alice\nThread: t\n\nbody here');
    assert.deepEqual(places.to, { line: 0, start: 5, end: 10 });
    assert.deepEqual(places.thread, { line: 1, start: 8, end: 9 });
    assert.deepEqual(places.body, { line: 3, start: 0, end: 9 });
    assert.equal(bodyLine, 3);
  });

  it('reads back what formatDraft writes', () => {
    const draft = { to: 'alice', thread: 't', body: 'one\n\ntwo: three' };
    assert.deepEqual(toDraft(parseDraft(formatDraft(draft)), undefined), draft);
  });
});

describe('attemptFor', () => {
  const draft = { to: 'a', body: 'x' };
  let made = 0;
  const token = (): `${string}-${string}-${string}-${string}-${string}` => `t-${++made}-0-0-0`;

  it('keeps the token of a draft that is tried again', () => {
    const first = attemptFor(draft, undefined, token);
    assert.equal(attemptFor({ ...draft }, first, token).token, first.token);
  });

  it('takes a new token for a changed draft', () => {
    const first = attemptFor(draft, undefined, token);
    for (const changed of [
      { ...draft, body: 'y' },
      { ...draft, to: 'b' },
      { ...draft, thread: 't' },
      { ...draft, replyTo: { protocol: 'p', store: 's', id: 'i' } },
    ]) {
      assert.notEqual(attemptFor(changed, first, token).token, first.token, JSON.stringify(changed));
    }
  });
});

describe('sendingOnce', () => {
  it('sends the same message again with the same token until it was answered', async () => {
    const tokens: string[] = [];
    let lost = true;
    const request = (_method: string, params: { readonly clientToken: string }): Promise<unknown> => {
      tokens.push(params.clientToken);
      return lost ? Promise.reject(new Error('connection lost')) : Promise.resolve({});
    };
    const send = sendingOnce({ request: request as Server['request'] });
    await assert.rejects(send({ to: 'a', body: 'x' }));
    await assert.rejects(send({ to: 'b', body: 'x' }));
    lost = false;
    await send({ to: 'a', body: 'x' });
    await send({ to: 'a', body: 'x' });
    const [first, other, again, next] = tokens;
    assert.equal(again, first);
    assert.notEqual(other, first);
    assert.notEqual(next, first);
  });
});
