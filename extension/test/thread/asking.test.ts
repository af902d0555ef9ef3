// The requests that a thread's session waits for: messages to the page, and outcomes of answers.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fill } from '../../src/fill';
import { ErrorCode, type AgentRequest, type AnswerParams } from '../../src/protocol';
import { Asking, type Asked } from '../../src/thread/asking';
import { request } from '../needSamples';

class Failed extends Error {
  readonly code: number;
  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

const gone = (message: string): Failed => new Failed(ErrorCode.NotFound, message);

/** A server, and the messages that the page received. */
class Host {
  readonly shown: Asked[] = [];
  readonly answers: AnswerParams[] = [];
  whole: (id: string) => Promise<AgentRequest> = () => Promise.reject(gone('the request is over'));
  answer: (params: AnswerParams) => Promise<unknown> = () => Promise.resolve({ waiting: 0 });
  readonly asking = new Asking(
    {
      whole: (id) => this.whole(id),
      answer: (params) => {
        this.answers.push(params);
        return this.answer(params);
      },
      show: (asked) => {
        this.shown.push(asked);
      },
      log: () => undefined,
    },
    fill,
  );

  /** Returns the ids of the requests that were shown. */
  get seen(): readonly (string | undefined)[] {
    return this.shown.map(({ request: asked }) => asked?.id);
  }

  last(): Asked | undefined {
    return this.shown.at(-1);
  }
}

const one = request('one');
const yes = (asked: AgentRequest): AnswerParams => ({ id: asked.id, hash: asked.hash, allow: true });

describe('what a session waits for', () => {
  it('is shown once, and the oldest stays while it waits', async () => {
    const host = new Host();
    await host.asking.update([]);
    assert.equal(host.shown.length, 0);
    await host.asking.update([one]);
    await host.asking.update([one]);
    assert.deepEqual(host.seen, ['one']);
    // A clock that jumps puts a later request first.
    await host.asking.update([request('two'), one]);
    assert.deepEqual([host.seen, host.last()?.others], [['one', 'one'], 1]);
  });

  it('is the one whose row was opened, also before it is known', async () => {
    const host = new Host();
    await host.asking.update([one, request('two')]);
    await host.asking.prefer('two');
    assert.deepEqual([host.seen, host.last()?.over], [['one', 'two'], '']);
    await host.asking.update([one, request('two')]);
    assert.deepEqual(host.seen, ['one', 'two']);
    await host.asking.decide({ id: 'two', hash: request('two').hash, allow: false });
    await host.asking.update([one]);
    assert.equal(host.last()?.request?.id, 'one');

    const later = new Host();
    await later.asking.prefer('two');
    await later.asking.update([one, request('two')]);
    assert.deepEqual(later.seen, ['two']);
  });

  it('is fetched whole, or can only be denied', async () => {
    const host = new Host();
    const whole = request('long', { input: [{ name: 'content', text: 'all of it' }] });
    host.whole = () => Promise.resolve(whole);
    await host.asking.update([request('long', { cut: true })]);
    assert.deepEqual(host.last()?.request, whole);

    const changed = new Host();
    changed.whole = () => Promise.resolve({ ...whole, hash: 'another' });
    await changed.asking.update([request('long', { cut: true })]);
    assert.equal(changed.last()?.request?.cut, true);

    const down = new Host();
    down.whole = () => Promise.reject(new Error('no server'));
    await down.asking.update([request('long', { cut: true })]);
    assert.equal(down.last()?.request?.cut, true);
  });

  it('is another one once it changed', async () => {
    const { asking, shown } = new Host();
    await asking.update([one]);
    await asking.update([{ ...one, hash: 'another' }]);
    assert.deepEqual(
      shown.map((asked) => asked.request?.hash),
      [one.hash, 'another'],
    );
  });
});

describe('an answer', () => {
  it('ends the request at once, and a list that was fetched before does not bring it back', async () => {
    const host = new Host();
    await host.asking.update([one]);
    await host.asking.decide(yes(one));
    assert.deepEqual(host.answers, [yes(one)]);
    const over = { request: undefined, over: 'Allowed here', here: true, others: 0, type: 'asked' };
    assert.deepEqual(host.last(), over);
    await host.asking.update([one]);
    assert.deepEqual(host.last(), over);
    await host.asking.update([one, request('two')]);
    assert.equal(host.last()?.request?.id, 'two');
  });

  it('says what became of the request, also where the next list is faster', async () => {
    const host = new Host();
    await host.asking.update([one]);
    let answered = (): void => undefined;
    host.answer = () => new Promise<void>((done) => (answered = done));
    host.whole = () => Promise.reject(gone('the request was denied by "bob" in the editor before'));
    const deciding = host.asking.decide({ ...yes(one), allow: false, reason: 'Use npm run clean.' });
    await host.asking.update([]);
    assert.deepEqual(host.seen, ['one']);
    answered();
    await deciding;
    assert.deepEqual(host.seen, ['one', undefined]);
    assert.deepEqual([host.last()?.over, host.last()?.here], ['Denied here; it was told why', true]);

    // A request that came meanwhile is shown then, and nothing is lost if the answer fails.
    const next = new Host();
    await next.asking.update([one]);
    let failed = (): void => undefined;
    next.answer = () => new Promise((_, fail) => (failed = () => fail(new Error('no room'))));
    const failing = next.asking.decide(yes(one));
    await next.asking.update([request('two'), one]);
    failed();
    await assert.rejects(failing);
    assert.deepEqual([next.last()?.request?.id, next.last()?.others], ['one', 1]);
  });

  it('is given once, and to what is shown alone', async () => {
    const host = new Host();
    await host.asking.decide(yes(one));
    await host.asking.update([one]);
    await host.asking.decide({ ...yes(one), hash: 'of what was shown before' });
    await host.asking.decide(yes(one));
    await host.asking.decide(yes(one));
    assert.equal(host.answers.length, 1);
  });

  it('that comes too late says what became of the request', async () => {
    const host = new Host();
    await host.asking.update([one]);
    host.answer = () => Promise.reject(gone('the request was denied by "me" in the terminal before'));
    await host.asking.decide(yes(one));
    assert.equal(host.last()?.request, undefined);
    assert.equal(host.last()?.over, 'The request was denied by "me" in the terminal before');
    assert.equal(host.last()?.here, false);
  });

  it('that fails leaves the request as it is', async () => {
    const host = new Host();
    await host.asking.update([one]);
    host.answer = () => Promise.reject(new Failed(ErrorCode.StoreUnavailable, 'disk full'));
    await assert.rejects(host.asking.decide(yes(one)), /disk full/);
    assert.equal(host.last()?.request?.id, 'one');
    host.answer = () => Promise.resolve({});
    await host.asking.decide(yes(one));
    assert.equal(host.last()?.over, 'Allowed here');
  });
});

describe('a request that ends meanwhile', () => {
  it('says what the server says, and nothing where that is not known', async () => {
    const host = new Host();
    await host.asking.update([one]);
    await host.asking.update([]);
    assert.deepEqual([host.last()?.request, host.last()?.over], [undefined, 'The request is over']);

    const down = new Host();
    await down.asking.update([one]);
    down.whole = () => Promise.reject(new Error('no server'));
    await down.asking.update([]);
    assert.deepEqual([down.last()?.request, down.last()?.over], [undefined, '']);
  });

  it('makes room for the next', async () => {
    const host = new Host();
    await host.asking.update([one]);
    await host.asking.update([request('two')]);
    assert.deepEqual([host.last()?.request?.id, host.last()?.over], ['two', 'The request is over']);
  });

  it('of another thread is forgotten', async () => {
    const host = new Host();
    await host.asking.update([one]);
    const looking = host.asking.update([]);
    host.asking.reset();
    await looking;
    assert.deepEqual([host.last()?.request, host.last()?.over], [undefined, '']);
  });
});
