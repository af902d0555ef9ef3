// Random addresses, images and names: only what is safe to open or show passes.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linkToken } from '../../src/address';
import type { Asset } from '../../src/protocol';
import { documentNameOf, fileNameOf, parseRef } from '../../src/refs';
import { imageAddress } from '../../src/thread/messages';
import { httpsAddress } from '../../src/views/messages';

/** Numbers from 0 to 1, the same in each run (mulberry32). */
function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

class Random {
  readonly #next: () => number;
  constructor(seed: number) {
    this.#next = randomNumbers(seed);
  }
  below(n: number): number {
    return Math.floor(this.#next() * n);
  }
  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T {
    return list[this.below(list.length)] as T;
  }
}

describe('what a page may open or show', () => {
  it('an address is https and shows where it leads, or is none', () => {
    const random = new Random(7);
    const parts = [
      'https:',
      'http:',
      '//',
      '/',
      '@',
      ':',
      'a',
      'example.com',
      'command:',
      '\u202e',
      ' ',
      '\\',
      '%',
      '#',
      '\n',
    ];
    for (let n = 0; n < 5_000; n++) {
      const href = Array.from({ length: random.below(6) }, () => random.pick(parts)).join('');
      const address = httpsAddress(href);
      if (address === undefined) continue;
      const { protocol, username, password } = new URL(address);
      assert.deepEqual([protocol, username, password], ['https:', '', ''], JSON.stringify(href));
      assert.match(address, /^[!-~]+$/, JSON.stringify(href));
    }
  });

  it('an image is a raster image in base64, or none', () => {
    const random = new Random(8);
    for (let n = 0; n < 5_000; n++) {
      const mimeType = random.pick([
        'image/png',
        'image/svg+xml',
        'text/html',
        'image/png;x',
        'IMAGE/PNG',
        '',
      ]);
      const base64 = random.pick(['aGk=', '', '"><script>', 'aGk=,x', 'aGk=\n']);
      const address = imageAddress({ asset: 'x', mimeType: mimeType as Asset['mimeType'], base64 });
      assert.equal(
        address,
        mimeType === 'image/png' && base64 === 'aGk=' ? 'data:image/png;base64,aGk=' : undefined,
      );
    }
  });

  it('the name of a document and of a file is no path', () => {
    const random = new Random(9);
    const parts = ['..', '/', '\\', 'a', '\u202e', '\u0000', ':', '%2f', ' ', '.', 'x'.repeat(300), '\n'];
    for (let n = 0; n < 5_000; n++) {
      const text = Array.from({ length: random.below(7) }, () => random.pick(parts)).join('');
      for (const name of [documentNameOf(text), fileNameOf(text)]) {
        assert.doesNotMatch(name, /[/\\\p{Cc}\u202e]/u, JSON.stringify(text));
        assert.ok(name !== '..' && name !== '.', JSON.stringify(text));
      }
      const token = linkToken(`/${random.pick(['message', 'thread', 'x'])}/${text}`);
      if (token !== undefined) assert.doesNotMatch(token, /\p{Cc}|^.{513}/u, JSON.stringify(text));
      assert.equal(parseRef(text), undefined);
    }
  });
});
