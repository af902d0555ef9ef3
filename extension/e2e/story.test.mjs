// One story through both ends: the real VS Code and the real program of an agent,
// which a scripted model drives. A person writes in the editor; the agent, in the
// midst of its work, is told by its hook, reads, answers, and asks with options; the
// question stands under Needs You, a click answers it, and the agent goes on. What the
// program records of its session is shown live meanwhile.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { recordsOf } from './mail.mjs';
import { start } from './programs.mjs';
import { inScene, serverBin } from './scene.mjs';
import { act, until } from './wait.mjs';

const question = 'Which licence does the page get?';
const prompt = 'Mend the login page.';

for (const client of ['claude', 'codex', 'gemini', 'copilot']) {
  test(`${client} and the editor: told in mid-work, answered, asked, and answered`, inScene(story(client)));
}

test(
  'Claude Code sits idle in a terminal of the window, and mail wakes it',
  inScene(async (scene) => {
    const home = repository(scene);
    const editor = await scene.open({
      settings: { 'signalbox.directories': [], 'terminal.integrated.shellIntegration.enabled': false },
    });
    const { page } = editor;
    await editor.openInbox();
    const script = join(scene.dir, 'run-claude.sh');
    const agent = start(scene, 'claude', 'TestEditorsIdleAgent', { SIGNALBOX_STORY_SCRIPT: script });
    try {
      await until('the script', () => existsSync(script));
      await editor.command('Terminal: Create New Terminal');
      const terminal = page.locator('.terminal-wrapper.active .xterm-helper-textarea').first();
      await terminal.waitFor({ state: 'attached' });
      await terminal.focus();
      await page.keyboard.type(`sh ${script}\n`);
      await until('the agent to be idle', () => existsSync(`${script}.idle`));
      await scene.shot('story-terminal-idle-dark');
      const env = { HOME: home, PATH: process.env.PATH };
      const mail = ['--as', 'bob', 'send', 'project', 'The staging server moved to port 8443.'];
      execFileSync(serverBin, mail, { cwd: scene.workspace, env, stdio: 'pipe' });
      const { code, output } = await agent.ended;
      await scene.shot('story-terminal-woken-dark');
      assert.equal(code, 0, output);
      assert.match(output, /--- PASS: TestEditorsIdleAgent/);
    } finally {
      agent.stop();
    }
  }),
);

/** Makes the workspace a repository. Returns the agent's home, which is the editor's. */
function repository(scene) {
  const git = (...args) => execFileSync('git', ['-C', scene.workspace, ...args], { stdio: 'pipe' });
  git('init', '-q', '-b', 'main');
  git(
    ...['-c', 'user.name=Dummy', '-c', 'user.email=dummy@example.invalid'],
    'commit',
    '-q',
    '--allow-empty',
    '-m',
    'demo',
  );
  return join(scene.dir, 'editor/home');
}

function story(client) {
  return async (scene) => {
    const home = repository(scene);
    const mail = join(home, 'dev/.message');
    const editor = await scene.open({ settings: { 'signalbox.directories': [] } });
    await editor.openInbox();
    const agent = start(scene, client);
    try {
      // Agents says what it does. A program takes long to start where nothing of it is in memory
      // yet; one that ended says why.
      await Promise.race([
        until('the agent to work', async () => (await editor.agents.description()) === '1 working', 180_000),
        agent.ended.then(({ output }) => assert.fail(`${client} ended: ${output}`)),
      ]);
      await write(editor, 'project', 'The staging server moved to port 8443.');
      await until('the answer on disk', () =>
        recordsOf(mail, 'project').some(({ body }) => body === 'Thanks, I use 8443.'),
      );

      const row = await editor.needs.row(question.slice(0, 20));
      await row.waitFor();
      // Its own session: the tool runs. Gemini CLI records a tool when it has ended, and
      // its hook tells of it before.
      const session = await editor.openThread(prompt);
      const asks = session.locator('.tool', { hasText: 'ask' }).last();
      await asks.locator('.status.running').waitFor();
      await scene.shot(`story-${client}-session-dark`);
      await scene.shot(`story-${client}-asks-dark`);
      const thread = recordsOf(mail, 'project').at(-1).thread;
      const frame = await act(
        'the question in its thread',
        () => editor.needs.opener(question.slice(0, 20)).click(),
        () => editor.threadFrame(thread, 0),
      );
      await frame.locator('.request .opt', { hasText: 'MIT' }).click();
      await row.waitFor({ state: 'detached' });
      assert.deepEqual(recordsOf(mail, 'bob').at(-1).body, 'MIT');
      const { code, output } = await agent.ended;
      assert.equal(code, 0, output);
      assert.match(output, /--- PASS: TestEditorsAgent/);
      const after = await editor.openThread(prompt);
      await after.locator('article', { hasText: 'DONE' }).waitFor();
      await after.locator('.tool', { hasText: 'ask' }).last().locator('.status.completed').waitFor();
      await scene.shot(`story-${client}-answered-dark`);
    } catch (error) {
      agent.stop();
      console.error((await agent.ended).output);
      // An event that was lost leaves the agent in the state before.
      const log = join(home, '.local/state/signalbox/hook.log');
      if (existsSync(log)) console.error(readFileSync(log, 'utf8'));
      throw error;
    } finally {
      agent.stop();
    }
  };
}

/** Writes a message in the editor, as a person does. */
async function write(editor, to, text) {
  const { page } = editor;
  await editor.command('Signalbox: New Message');
  await page.locator('.tab.active', { hasText: 'New message' }).waitFor();
  // What is typed before the text has the focus is lost.
  await page.locator('.monaco-editor.focused .view-line', { hasText: 'To:' }).waitFor();
  // The cursor stands behind "To:", also for somebody who types at once.
  await page.keyboard.type(to);
  await page.locator('.view-line', { hasText: `To: ${to}` }).waitFor();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Control+End');
  await page.keyboard.type(text);
  await page.locator('.codelens-decoration', { hasText: 'Send as bob' }).waitFor();
  await page.keyboard.press('Control+Enter');
}
