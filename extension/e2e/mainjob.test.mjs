// The main job in one editor, on the sample store: see the inbox, read a thread, answer
// it, answer an escalation; what was written is on the disk. It is what "make test" shows
// of VS Code.

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { demoScene, openCritical, openDemo, openLongest } from './demoScene.mjs';
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
    const reply = 'Answered in the editor: go on.';
    await thread.locator('.reply textarea').fill(reply);
    await thread.locator('.reply .primary').click();
    await thread.locator('article', { hasText: reply }).waitFor();
    await until('the reply in my log', () =>
      readFileSync(join(scene.mail, 'log-dev.jsonl'), 'utf8').includes(reply),
    );

    const escalation = await openCritical(editor);
    const decision = 'Decided in the editor.';
    await escalation.locator('.suggestion').first().click();
    await escalation.locator('.form textarea').fill(decision);
    await escalation.locator('.decide .primary').click();
    await escalation.locator('.answer-given', { hasText: decision }).waitFor();
    const answers = join(scene.mail, 'project/.ssot/resumes');
    await until('the answer among the resumes', () =>
      readdirSync(answers).some((name) => readFileSync(join(answers, name), 'utf8').includes(decision)),
    );
    failed = false;
  } finally {
    await scene.close(failed);
  }
});
