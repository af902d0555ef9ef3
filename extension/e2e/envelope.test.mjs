// Task messages opened as files are checked and fixed, and no other file is sent.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { inScene } from './scene.mjs';
import { act, until } from './wait.mjs';

const invalid = join(dirname(fileURLToPath(import.meta.url)), '../../testdata/agn/invalid');

test(
  'a JSON file that is an envelope is checked and mended, and others are not sent',
  inScene(async (scene) => {
    const wrong = readFileSync(join(invalid, 'E8-requires_ack-false-on-dispatch.json'), 'utf8');
    scene.file('other.json', '{ "name": "nothing to see" }\n');
    scene.file('envelope.json', wrong);
    const editor = await scene.open({ settings: { 'signalbox.trace.server': 'messages' } });
    const { page } = editor;
    // The log is written a little later.
    const told = async (what, times, why) => {
      const count = () => scene.log().split(`Sending notification 'textDocument/${what}'`).length - 1;
      await until(`${what} in the log`, () => count() >= times);
      assert.equal(count(), times, why);
    };
    const squiggles = page.locator('.squiggly-error');
    await editor.openInbox();
    await editor.openFile('other.json');
    await editor.openFile('envelope.json');
    await squiggles.first().waitFor();
    await told('didOpen', 1, 'only the envelope was sent');
    await scene.shot('envelope-dark');
    await editor.command('Go to Next Problem (Error, Warning, Info)');
    await page.locator('.marker-widget', { hasText: 'E8' }).waitFor();
    await page.keyboard.press('Escape');
    await act(
      'the quick fix',
      () => page.keyboard.press('Control+.'),
      () => page.locator('.action-widget').first().isVisible(),
    );
    await scene.shot('envelope-fix-dark');
    await page.keyboard.press('Enter');
    await page.locator('.view-line', { hasText: '"requires_ack": true' }).waitFor();
    await until('the squiggle to go', async () => (await squiggles.count()) === 0);

    // A file that becomes an envelope while it is open is checked, and no longer when it stops being one.
    await editor.openFile('other.json');
    const write = (text) =>
      act(
        'the text that was written into an open file',
        () => scene.file('other.json', text),
        async () => (await squiggles.count()) > 0 === (text === wrong),
      );
    await write(wrong);
    await told('didOpen', 2);
    await write('{}');
    await told('didClose', 1);
  }),
);
