// "make demo" is most people's first look at the project: it has to work.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const demo = join(dirname(fileURLToPath(import.meta.url)), 'demo.mjs');

test('the demo shows mail, agents at work, an escalation and its timeline', () => {
  const out = mkdtempSync(join(tmpdir(), 'signalbox-demo-shots-'));
  try {
    execFileSync(process.execPath, [demo, '--out', out], { stdio: ['ignore', 'ignore', 'inherit'] });
    const pictures = [
      'demo',
      'demo-agent1',
      'demo-agent2',
      'demo-agent3',
      'demo-escalation',
      'demo-timeline',
    ];
    assert.deepEqual(
      readdirSync(out).sort(),
      pictures.flatMap((name) => [`${name}-dark.png`, `${name}-light.png`]).sort(),
    );
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
});
