// A server that is slow, and one that hangs.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Patience, whileWanted } from '../../src/server/patience';

const never = new Promise<never>(() => undefined);
const soon = { long: 1, sign: 1 };

describe('Patience', () => {
  it('gives the answer, and leaves the server alone that answers at once', async () => {
    const patience = new Patience(
      () => Promise.reject(new Error('asked')),
      () => assert.fail('hung'),
      { long: 60_000, sign: 60_000 },
    );
    assert.equal(await patience.wait(Promise.resolve(7)), 7);
    await assert.rejects(patience.wait(Promise.reject(new Error('no'))), /no/);
  });

  it('takes a server that answers nothing for hung', async () => {
    let end: (value: string) => void = () => undefined;
    const answer = new Promise<string>((done) => (end = done));
    const patience = new Patience(
      () => never,
      () => end('ended'),
      soon,
    );
    assert.equal(await patience.wait(answer), 'ended');
  });

  it('waits on for one that gives a sign of life, and asks again', async () => {
    let asked = 0;
    let answer: (value: string) => void = () => undefined;
    const slow = new Promise<string>((done) => (answer = done));
    const patience = new Patience(
      () => {
        if (++asked === 3) answer('at last');
        return asked === 2 ? Promise.reject(new Error('busy')) : Promise.resolve();
      },
      () => assert.fail('hung'),
      { long: 1, sign: 60_000 },
    );
    assert.equal(await patience.wait(slow), 'at last');
    assert.equal(asked, 3);
  });
});

describe('whileWanted', () => {
  it('gives the answer, but not once a restart has replaced who gives it', async () => {
    let current = 'first';
    let answer: (value: string) => void = () => undefined;
    const slow = whileWanted(new Promise<string>((done) => (answer = done)), () => current === 'first');
    current = 'second';
    answer('of the first');
    await assert.rejects(slow, /another server/);
    assert.equal(
      await whileWanted(Promise.resolve('of the second'), () => current === 'second'),
      'of the second',
    );
    await assert.rejects(
      whileWanted(Promise.reject(new Error('no')), () => true),
      /no/,
    );
  });
});
