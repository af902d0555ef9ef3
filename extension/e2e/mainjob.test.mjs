// The main job in one editor, on the sample store: see the inbox, read a thread, answer
// it, answer an escalation; what was written is on the disk. It is what "make test" shows
// of VS Code.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decideCritical, demoScene, openDemo, openLongest, replyIn } from './demoScene.mjs';
import { until } from './wait.mjs';

test('a person reads the inbox and a thread, replies, and answers an escalation', async () => {
  const scene = demoScene();
  let failed = true;
  try {
    const rows = await openDemo(scene, 'dark');
    const { editor } = scene;
    assert.ok((await rows.count()) > 0, 'the inbox has threads');
    await until('a number on the icon', async () => Number(await editor.badge()) > 0);

    const thread = await openLongest(editor, rows);
    await replyIn(thread, scene, 'Answered in the editor: go on.');

    await decideCritical(scene, 'Decided in the editor.');
    failed = false;
  } finally {
    await scene.close(failed);
  }
});
