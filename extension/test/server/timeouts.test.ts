// A server that is slow, and one that hangs.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { HangDetector, whileCurrent } from '../../src/server/timeouts';

const never = new Promise<never>(() => undefined);
const soon = { long: 1, probe: 1 };

describe('HangDetector', () => {
  it('gives the answer, and leaves the server alone that answers at once', async () => {
    const detector = new HangDetector(
      () => Promise.reject(new Error('asked')),
      () => assert.fail('hung'),
      { long: 60_000, probe: 60_000 },
    );
    assert.equal(await detector.wait(Promise.resolve(7)), 7);
    await assert.rejects(detector.wait(Promise.reject(new Error('no'))), /no/);
  });

  it('takes a server that answers nothing for hung', async () => {
    let end: (value: string) => void = () => undefined;
    const answer = new Promise<string>((done) => (end = done));
    const detector = new HangDetector(
      () => never,
      () => end('ended'),
      soon,
    );
    assert.equal(await detector.wait(answer), 'ended');
  });

  it('waits on for one that answers the small request, and asks again', async () => {
    let asked = 0;
    let answer: (value: string) => void = () => undefined;
    const slow = new Promise<string>((done) => (answer = done));
    const detector = new HangDetector(
      () => {
        if (++asked === 3) answer('at last');
        return asked === 2 ? Promise.reject(new Error('busy')) : Promise.resolve();
      },
      () => assert.fail('hung'),
      { long: 1, probe: 60_000 },
    );
    assert.equal(await detector.wait(slow), 'at last');
    assert.equal(asked, 3);
  });
});

describe('whileCurrent', () => {
  it('gives the answer, but not once a restart has replaced who gives it', async () => {
    let current = 'first';
    let answer: (value: string) => void = () => undefined;
    const slow = whileCurrent(new Promise<string>((done) => (answer = done)), () => current === 'first');
    current = 'second';
    answer('of the first');
    await assert.rejects(slow, /another server/);
    assert.equal(
      await whileCurrent(Promise.resolve('of the second'), () => current === 'second'),
      'of the second',
    );
    await assert.rejects(
      whileCurrent(Promise.reject(new Error('no')), () => true),
      /no/,
    );
  });
});
