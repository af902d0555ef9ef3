// Whatever a page of a view posts, the extension reads one of its messages or nothing.
// The page shows what strangers wrote: were it taken over, this is what it could say.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linkToken } from '../src/linkAddress';
import type { Asset } from '../src/protocol';
import { documentNameOf, fileNameOf, parseRef, readRef } from '../src/refs';
import { readAnswer, readFromTaskView } from '../src/taskMessages';
import { imageAddress, readFromView } from '../src/threadMessages';
import { httpsAddress } from '../src/viewMessages';

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

const types = [
  ...['ready', 'older', 'retry', 'asText', 'typing', 'copy', 'open', 'revealed', 'answer', 'send', 'image'],
  ...['diff', 'thread', 'file', 'asDocument', 'unread', 'mail', 'acknowledge', 'preview', 'mention'],
  ...['rejectedFile', 'escalation', 'task', '__proto__', 'constructor', 'toString', ''],
];
const names = [
  ...['type', 'empty', 'text', 'href', 'back', 'message', 'body', 'asset', 'file', 'save', 'tool', 'ref'],
  ...['answer', 'action', 'suggested', 'index', 'protocol', 'store', 'id', '__proto__', 'x'],
];
const texts = [
  ...types,
  ...['samp', 'atsf', 'agn', 'amp', 's1', 't/x', '../../etc/passwd', 'approve', 'terminate', 'pardon'],
  ...[
    'https://example.com/',
    'https://user:pw@example.com/',
    'command:workbench.action.quit',
    'javascript:1',
  ],
  ...['file:///etc/passwd', 'data:text/html,x', '\u202e', '\u0000', '\ud800', 'x'.repeat(70_000)],
];

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
  value(depth: number): unknown {
    switch (this.below(depth > 0 ? 12 : 9)) {
      case 0:
        return null;
      case 1:
        return undefined;
      case 2:
        return this.below(2) === 0;
      case 3:
        return this.pick([0, 1, 7, -1, 0.5, NaN, Infinity, 2 ** 53, -0, 1e300]);
      case 4:
      case 5:
      case 6:
      case 7:
        return this.pick(texts);
      case 8:
        return this.pick([Symbol('x'), () => 'x', new Date(0), new Map(), 10n]);
      case 9:
        return [this.value(depth - 1)];
      default:
        return this.object(depth - 1);
    }
  }
  object(depth: number): Record<string, unknown> {
    const made: Record<string, unknown> = {};
    for (let n = this.below(5); n > 0; n--) {
      Object.defineProperty(made, this.pick(names), {
        value: this.value(depth),
        enumerable: true,
        configurable: true,
        writable: true,
      });
    }
    return made;
  }
  /** Something near a message: a type of ours, and members that often fit it. */
  message(): unknown {
    if (this.below(8) === 0) return this.value(3);
    const ref = { protocol: this.pick(['samp', 'atsf', 'agn', 'amp', 'x', '']), store: 's1', id: 't/x' };
    const made: Record<string, unknown> = { ...this.object(2), type: this.pick(types) };
    if (this.below(4) === 0) Object.assign(made, ref);
    for (const name of names.slice(1)) {
      if (this.below(3) > 0) continue;
      const known = ['message', 'ref'].includes(name) ? ref : undefined;
      made[name] = known !== undefined && this.below(2) === 0 ? known : this.value(2);
    }
    return made;
  }
}

/** Holds that a value is built of nothing but plain data, of members that are named here. */
function assertPlain(value: unknown, from: unknown): void {
  if (value === null || value === undefined || ['string', 'boolean'].includes(typeof value)) return;
  if (typeof value === 'number') {
    assert.ok(Number.isSafeInteger(value) && value >= 0, `the number ${value}`);
    return;
  }
  assert.ok(typeof value === 'object', `a ${typeof value}`);
  assert.equal(Object.getPrototypeOf(value), Object.prototype);
  for (const [name, member] of Object.entries(value)) {
    assert.ok(names.includes(name) && name !== '__proto__' && name !== 'x', `the member ${name}`);
    assertPlain(member, from);
  }
}

describe('messages of a page', () => {
  const readers = { readFromView, readFromTaskView, readAnswer, readRef };
  for (const [name, read] of Object.entries(readers)) {
    it(`${name} reads one of its own or nothing`, () => {
      const random = new Random(2026);
      let taken = 0;
      for (let n = 0; n < 8_000; n++) {
        const message = random.message();
        const got: unknown = read(message);
        if (got === undefined) continue;
        taken++;
        assert.notEqual(got, message, 'the page keeps no hold on what was read');
        assertPlain(got, message);
        if (typeof got === 'object' && got !== null && 'type' in got) {
          assert.equal(got.type, (message as { type: unknown }).type);
          assert.deepEqual(read(structuredClone(got)), got, 'what was read is read again alike');
        }
      }
      assert.ok(taken > 100, `only ${taken} of the messages were any`);
    });
  }

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
