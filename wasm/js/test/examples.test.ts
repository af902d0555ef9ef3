// The examples, as their readers run them.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { visit } from './browser.js';
import { fixture, moduleFile, repo } from './setup.js';

const store = join(repo, 'testdata/samp/store-spaced');
const expected = JSON.parse(new TextDecoder().decode(fixture('samp/store-spaced/expected.json'))) as {
  inbox_all: Record<string, { id: string; from: string }[]>;
};
const wanted = expected.inbox_all['bob']?.map(({ id, from }) => ({ id, from })) ?? [];

describe('the examples', () => {
  it('print an inbox in Node', () => {
    const args = [join(repo, 'wasm/examples/node/inbox.mjs'), moduleFile, store, 'bob'];
    const lines = execFileSync(process.execPath, args, { encoding: 'utf8' }).trimEnd().split('\n');
    const shown = lines.map((line) => /^([0-9a-f]{16}) "(.*?)": ".*"$/.exec(line));
    assert.deepEqual(
      shown.map((match) => ({ id: match?.[1], from: match?.[2] })),
      wanted,
    );
  });

  it('show an inbox in a page', async () => {
    const visited = await visit({
      '/wasm/': join(repo, 'wasm'),
      '/bin/signalbox.wasm': moduleFile,
    });
    const { page, address } = visited;
    try {
      const problems: string[] = [];
      page.on('pageerror', (error) => problems.push(error.message));
      await page.goto(`${address}/wasm/examples/page/index.html`);
      await page.locator('#directory').setInputFiles(store);
      await page.locator('#inbox li').first().waitFor();
      const texts = await page.locator('#inbox li').allTextContents();
      assert.deepEqual(
        texts.map((text) => text.split(':', 1)[0]),
        wanted.map(({ id, from }) => `${id} ${from}`),
      );
      assert.deepEqual([await page.locator('#problem').textContent(), problems], ['', []]);
    } finally {
      await visited.close();
    }
  });

  it('have at most 40 lines', () => {
    for (const folder of ['node', 'page']) {
      const path = join(repo, 'wasm/examples', folder);
      const code = readdirSync(path).filter((name) => !name.endsWith('.md'));
      const lines = code.map((name) => readFileSync(join(path, name), 'utf8').split('\n').length - 1);
      assert.ok(lines.reduce((sum, n) => sum + n, 0) <= 40, `${folder}: ${lines.join(' and ')} lines`);
    }
  });
});
