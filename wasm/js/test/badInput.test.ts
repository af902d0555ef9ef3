// What no host should send, and bytes that are no module: an error each time, and a
// core that works after it.
import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { describe, it } from 'node:test';
import { abi, limits, load, ops } from '@signalbox/core';
import type { Code, Core, OpName } from '@signalbox/core';
import { Instance } from '../dist/instance.js';
import { coded, moduleBytes, moduleFile, open } from './setup.js';
import { tiny } from './tiny.js';

const deep = `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`;
const inBuild = '{"from":"a","to":"b","thread":"t","ts":1}';

/** A call works, in the instance that was there before. */
function sound(core: Core, created = 1): void {
  assert.equal(core.samp.alias('alice').log, 'log-alice.jsonl');
  assert.equal(core.stats.created, created);
}

describe('bad arguments', () => {
  const cases: Record<
    string,
    [op: OpName | number, params: string, input: string | Uint8Array, code: Code, rule?: string]
  > = {
    'op 0': [0, '', '', 'UnknownOp'],
    'an op that is not given': [99, '', '', 'UnknownOp'],
    'a negative op': [-1, '', '', 'UnknownOp'],
    'an op that is no number': [Number.NaN, '', '', 'UnknownOp'],
    'no line': ['samp.parse', '', '', 'Malformed', 'R3'],
    '65 levels in the line': ['samp.parse', '', `{"x":${deep}}`, 'Malformed', 'R3'],
    '65 levels in the parameters': ['samp.parse', deep, '', 'BadArgument'],
    'a million brackets': ['samp.id', '', '['.repeat(1 << 20), 'Malformed', 'R3'],
    '65 levels in a thread': ['atsf.thread', '', deep, 'Malformed'],
    '65 levels in a message of AMP/1.0': ['agn.message', '', deep, 'Malformed'],
    '65 levels in a message of amp/0.1': ['amp.message', '', deep, 'Malformed'],
    'a text that is none': ['mail.links', '', Uint8Array.of(0xff), 'BadArgument'],
    'a heading of level 7': ['render.html', '{"topHeading":7}', '', 'BadArgument'],
    'more than is shown': ['render.text', '', new Uint8Array((16 << 20) + 1), 'TooLarge'],
    'an empty reader': ['samp.threads', '{"me":"","logs":[]}', '', 'BadArgument'],
    'parameters that are no text': ['samp.parse', '{"\u0000":1}', '', 'BadArgument'],
    'a parameter that is not': ['samp.parse', '{"x":1}', '', 'BadArgument'],
    'a log beyond the input': [
      'samp.inbox',
      '{"me":"b","mode":"all","logs":[{"name":"log-a.jsonl","length":1}]}',
      '',
      'BadArgument',
    ],
    'a length that is negative': ['amp.verify', '{"messageLength":-1}', 'x', 'BadArgument'],
    'an alias that may not be': [
      'samp.build',
      '{"from":"CON","to":"b","thread":"t","ts":1}',
      '',
      'Refused',
      'L2',
    ],
    'a body that is no text': ['samp.build', inBuild, Uint8Array.of(0xff), 'Refused', 'R2'],
    'a body over the limit': ['samp.build', inBuild, 'x'.repeat(65537), 'Refused', 'R4'],
    'a reply to what is not there': [
      'samp.reply',
      '{"me":"a","body":"","ts":1,"to_id":"x","logs":[]}',
      '',
      'NotFound',
    ],
  };
  for (const [name, [op, params, input, code, rule]] of Object.entries(cases)) {
    it(name, async () => {
      const core = await opened;
      assert.throws(() => core.call(op, params, input), coded(code, /./, rule));
      sound(core);
    });
  }
  const opened = open();

  it('more than the limit', async () => {
    const core = await open({ maxInput: 10 });
    for (const [params, input] of [
      [11, [0]],
      [0, [11]],
      [6, [5]],
      [0, [4, 4, 4]],
    ] as const) {
      const parts = input.map((n) => new Uint8Array(n));
      assert.throws(() => core.call('samp.parse', new Uint8Array(params), parts), coded('TooLarge'));
    }
    assert.ok(core.call('samp.alias', '', '0123456789').length > 0);
  });

  it('a closed core', async () => {
    const core = await open();
    core.close();
    assert.throws(() => core.samp.alias('a'), coded('Closed'));
  });
});

describe('the raw ABI', () => {
  it('refuses lengths that lie', async () => {
    const instance = Instance.startNow((await open()).module);
    instance.call(ops['samp.alias'], '', new Uint8Array(), [new TextEncoder().encode('0123456')]);
    const big = 2 ** 31 - 1;
    for (const [n1, n2] of [
      [-1, 0],
      [0, -1],
      [8, 0],
      [2, 6],
      [big, big],
      [-big - 1, -big - 1],
      [0, big],
    ] as const) {
      const { bytes, failed } = instance.raw(ops.info, n1, n2);
      assert.ok(failed);
      assert.match(new TextDecoder().decode(bytes), /^\{"code":"BadLength"/);
    }
    assert.equal(instance.raw(ops.info, 0, 0).failed, false);
  });

  it('refuses more than the module takes', async () => {
    const core = await open({ maxInput: 2 ** 40 });
    const part = new Uint8Array(1 << 26);
    assert.throws(() => core.call('info', '', [part, part, part, part, Uint8Array.of(1)]), coded('TooLarge'));
    assert.equal(part.length * 4, limits.maxInput);
    sound(core);
    const instance = Instance.startNow(core.module);
    assert.throws(
      () => instance.call(1, '', new Uint8Array(0), [part, part, part, part, Uint8Array.of(1)]),
      coded('TooLarge'),
    );
  });
});

describe('too little memory', () => {
  it('for the module itself', async () => {
    for (const size of [0, 64 << 10, 1 << 20, 2 << 20, 3 << 20]) {
      await assert.rejects(open({ maxMemory: size }), (error: { code?: string }) =>
        ['BadModule', 'Trap'].includes(error.code ?? ''),
      );
    }
  });

  it('for an input, and for the work on one', async () => {
    const core = await open({ maxMemory: 24 << 20 });
    const line = `{"ts":1,"from":"a","to":"b","thread":"t","body":"${'x'.repeat(1000)}"}\n`;
    for (const [i, data] of [new Uint8Array(40 << 20), line.repeat(10_000)].entries()) {
      assert.throws(() => core.samp.compact(data), coded('Trap', /out of memory/));
      assert.deepEqual(core.stats, { created: i + 1, discarded: i + 1, memory: 0 });
      sound(core, i + 2);
    }
  });

  it('to be kept after a large call', async () => {
    const core = await open({ keepMemory: 32 << 20 });
    assert.throws(() => core.samp.id(new Uint8Array(40 << 20)), coded('Malformed'));
    assert.deepEqual(core.stats, { created: 1, discarded: 1, memory: 0 });
    sound(core, 2);
  });
});

describe('bad modules', () => {
  const version = (abi.major << 16) | abi.minor;
  const cases: Record<string, [module: Uint8Array<ArrayBuffer>, message: RegExp]> = {
    nothing: [new Uint8Array(), /do not compile/],
    'no module': [Uint8Array.from(Buffer.from('#!/bin/sh\nexit 1\n')), /do not compile/],
    'one that is cut short': [moduleBytes.slice(0, moduleBytes.length / 2), /do not compile/],
    'one without exports': [Uint8Array.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]), /no function _initialize/],
    'one without memory': [tiny({ version, without: 'memory' }), /exports no memory/],
    'one without call': [tiny({ version, without: 'call' }), /no function call/],
    'a foreign import': [tiny({ version, imports: ['env', 'f'] }), /imports env\.f/],
    'a function of WASI that is not needed': [
      tiny({ version, imports: ['wasi_snapshot_preview1', 'path_open'] }),
      /does not link/,
    ],
    'another major version': [
      tiny({ version: version + (1 << 16) }),
      /speaks ABI 2\.\d+, and this package needs 1\./,
    ],
    'a version below zero': [tiny({ version: -1 }), /speaks ABI 65535\.65535/],
    'an older minor version': [tiny({ version: version - 1 }), /this package needs 1\./],
  };
  for (const [name, [module, message]] of Object.entries(cases)) {
    it(name, () => assert.rejects(load(module), coded('BadModule', message)));
  }

  it('a newer minor version is none', async () => {
    await load(tiny({ version: version + 1 }));
    await load(tiny({ version: version - 1 }), { minor: abi.minor - 1 });
  });

  it('an address of a file', () =>
    assert.rejects(load(pathToFileURL(moduleFile)), coded('BadModule', /read the file/)));

  it('pointers and errors that cannot be', async () => {
    for (const [result, data] of [
      [(0x7fffn << 32n) | 0x7fffffffn, ''],
      [-(1n << 63n) | (32n << 32n) | 2n, '{}'],
      [-(1n << 63n) | (32n << 32n) | 1n, 'x'],
      [-(1n << 63n) | (32n << 32n) | 14n, '{"code":"Nah"}'],
    ] as const) {
      const core = await load(tiny({ version, result, data }));
      assert.throws(() => core.call('info'), coded('Trap'));
      assert.equal(core.stats.discarded, 1);
    }
    for (const [what, code] of Object.entries({
      'an input buffer beyond the memory': { in: [0x41, 0x80, 0x80, 0x04] },
      'an input buffer below zero': { in: [0x41, 0x7f] },
      'a call that stops': { call: [0x00] },
      'a call that calls itself for ever': { call: [0x20, 0, 0x20, 1, 0x20, 2, 0x10, 2] },
    })) {
      const core = await load(tiny({ version, code }));
      for (let n = 1; n <= 2; n++) {
        assert.throws(() => core.call('info', 'ab', 'cd'), coded('Trap'), what);
        assert.deepEqual(core.stats, { created: n, discarded: n, memory: 0 }, what);
      }
    }
    await assert.rejects(load(tiny({ version, code: { init: [0x00] } })), coded('Trap'));
    const core = await load(tiny({ version, result: (32n << 32n) | 1n, data: '{' }));
    assert.throws(() => core.info(), coded('Internal'));
  });
});
