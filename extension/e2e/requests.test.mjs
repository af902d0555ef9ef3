// What an agent's program asks for is answered in the editor: the program's own hook waits,
// and prints what was decided. Nothing is allowed that was not in sight, or by a key that was
// meant for something else.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { accessible } from './axe.mjs';
import { inScene, serverBin } from './scene.mjs';
import { ClaudeSession } from './transcripts.mjs';
import { act, until } from './wait.mjs';
import { makeRepository } from './worktrees.mjs';

const here = 'd1b4364c-ee3a-4d15-b4ec-3631c4fd5896';
const elsewhere = 'd1b4364c-ee3a-4d15-b4ec-3631c4fd5897';
const prompt = 'Mend the login page.';

/** The hooks that run: one that waits ends with the test. */
const hooks = [];

after(() => {
  for (const hook of hooks) hook.process.kill();
});

/** A hook of Claude Code that was run for an event, as Claude Code runs it. */
class Hook {
  constructor(home, folder, session, event, more = {}) {
    this.out = '';
    this.process = spawn(serverBin, ['hook', 'claude'], {
      cwd: folder,
      env: { HOME: home, PATH: process.env.PATH },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    this.process.stdout.on('data', (part) => {
      this.out += String(part);
    });
    this.ended = once(this.process, 'close');
    const told = { session_id: session, cwd: folder, hook_event_name: event, ...more };
    this.process.stdin.end(JSON.stringify(told));
    hooks.push(this);
  }

  /** Returns what it decided, once it has ended. */
  async decision() {
    await this.ended;
    return JSON.parse(this.out).hookSpecificOutput.decision;
  }
}

test(
  'what an agent asks for is answered where it is seen',
  inScene(async (scene, part) => {
    const home = join(scene.dir, 'editor/home');
    const { main } = makeRepository(home, scene.workspace, []);
    const session = new ClaudeSession(home, main, here, { at: Date.now() - 600_000 });
    session.prompts(prompt);
    session.says('I look at it.');
    const asks = (tool_name, tool_input, more = {}) =>
      new Hook(home, main, here, 'PermissionRequest', { tool_name, tool_input, ...more });
    await new Hook(home, main, here, 'SessionStart').ended;
    const editor = await scene.open({ settings: { 'signalbox.directories': [] } });
    await editor.openInbox();

    // The row says what is waited for, and leads to the request above the box of the thread.
    const push = asks('Bash', {
      command: 'git push --force-with-lease origin fix/login',
      description: 'Push',
    });
    await (await editor.needs.row('git push')).waitFor();
    const frame = await editor.openThread(prompt, editor.needs.opener('git push'));
    const asked = frame.locator('.request');
    const button = (name) => frame.getByRole('button', { name, exact: true });
    const box = frame.locator('form.reply textarea');
    const over = frame.locator('.asks .over');
    const ready = (name) => until(`${name} to be ready`, () => button(name).isEnabled());
    const menu = async (name) => {
      const line = editor.page.getByRole('menuitem', { name });
      await act(
        `the menu with ${name}`,
        async () => {
          // A menu takes no click in its first moment.
          if (!(await line.isVisible())) await button('More Actions').click({ timeout: 2_000 });
          await line.click({ timeout: 2_000 });
        },
        async () => !(await line.isVisible()),
      );
    };

    await part('a permission is given by its key, and not by one that was meant for the box', async () => {
      await frame.getByRole('group', { name: 'project wants to run' }).waitFor();
      assert.equal(
        await asked.locator('pre').first().textContent(),
        'git push --force-with-lease origin fix/login',
      );
      await ready('Allow Force Push');
      const focus = await frame.evaluate(() => document.activeElement?.textContent ?? '');
      assert.ok(!focus.startsWith('Allow'), focus);
      await inThemes(scene, 'request-permission');
      await accessible(await editor.threadFrame(prompt), 'a permission');
      await box.focus();
      for (const key of ['Enter', 'Control+Enter', 'a']) await editor.page.keyboard.press(key);
      assert.equal(push.out, '');
      await box.fill('');
      // With a red risk the key only gives the button the focus.
      await editor.page.keyboard.press('Alt+a');
      await editor.page.keyboard.press('Enter');
      assert.deepEqual(await push.decision(), { behavior: 'allow' });
      await over.filter({ hasText: 'Allowed here' }).waitFor();
      await until('the row to go', () => editor.needs.without('git push'));
      await scene.shot('request-over-dark');
    });

    await part('one is denied with a reason, which survives what happens meanwhile', async () => {
      const drop = asks('Bash', { command: 'rm -rf build && npm ci' });
      await ready('Deny');
      await box.fill('Use npm run clean.');
      session.says('I wait for an answer.');
      await frame.locator('article', { hasText: 'I wait for an answer.' }).last().waitFor();
      assert.equal(await box.inputValue(), 'Use npm run clean.');
      await ready('Deny and Tell project');
      await scene.shot('request-reason-dark');
      await box.press('Control+Enter');
      assert.deepEqual(await drop.decision(), { behavior: 'deny', message: 'Use npm run clean.' });
      await over.filter({ hasText: 'Denied here; it was told why' }).waitFor();
      assert.equal(await box.inputValue(), '');
    });

    await part('what was not in sight is not allowed, and what hides is shown', async () => {
      const content = Array.from({ length: 60 }, (_, line) => `line ${String(line + 1)}`).join('\n');
      const write = asks('Write', { file_path: '/etc/hosts\u202e', content });
      await ready('Deny');
      await asked.locator('.odd', { hasText: '⟨U+202E⟩' }).waitFor();
      await asked.getByText('misleading characters').waitFor();
      const more = asked.getByRole('button', { name: /^Show \d+ More Lines$/ });
      await more.waitFor();
      assert.equal(await button('Allow Anyway').count(), 0);
      await scene.shot('request-long-dark');
      await until('the end of what is asked for', async () => {
        if ((await button('Allow Anyway').count()) === 1) return button('Allow Anyway').isEnabled();
        await more.click({ timeout: 1_000 });
        return false;
      });
      assert.equal(await asked.getByRole('button', { name: /More Line/ }).count(), 0);
      await scene.shot('request-tall-dark');
      await button('Deny').click();
      assert.equal((await write.decision()).behavior, 'deny');
    });

    await part('a rule is shown before it is allowed from now on', async () => {
      const rule = {
        ...{ type: 'addRules', behavior: 'allow', destination: 'localSettings' },
        rules: [{ toolName: 'Bash', ruleContent: 'npm test:*' }],
      };
      const tests = asks('Bash', { command: 'npm test' }, { permission_suggestions: [rule] });
      await ready('Allow Once');
      await menu('Always Allow…');
      await asked.getByText('allow Bash(npm test:*) in this project, for you').waitFor();
      await ready('Allow and Remember');
      await inThemes(scene, 'request-rule');
      await accessible(await editor.threadFrame(prompt), 'a rule');
      await button('Allow and Remember').click();
      assert.deepEqual(await tests.decision(), { behavior: 'allow', updatedPermissions: [rule] });
    });

    await part('a form is filled in', async () => {
      const questions = [
        {
          ...{ question: 'Which database do we keep?', header: 'Database', multiSelect: false },
          options: [
            { label: 'Postgres 14', description: 'No migration in 2.4' },
            { label: 'Postgres 17', description: 'One day, one read-only hour' },
          ],
        },
        {
          ...{ question: 'Where does it run?', header: 'Places', multiSelect: true },
          options: [{ label: 'Here' }, { label: 'There' }],
        },
      ];
      const form = asks('AskUserQuestion', { questions });
      await ready('Decline');
      assert.ok(await button('Send 2 Answers').isDisabled());
      await frame.getByRole('radio', { name: /^Postgres 17/ }).check();
      await frame.getByRole('checkbox', { name: 'Here', exact: true }).check();
      await frame.getByRole('checkbox', { name: 'There' }).check();
      await inThemes(scene, 'request-form');
      await accessible(await editor.threadFrame(prompt), 'a form');
      // A tab that comes back has what was chosen and typed.
      await frame.getByRole('textbox', { name: 'In your own words' }).first().fill('Neither: SQLite');
      await editor.command('Signalbox: Doctor');
      await editor.doctorFrame();
      await editor.command('View: Close Editor');
      const back = await editor.threadFrame(prompt);
      const words = back.getByRole('textbox', { name: 'In your own words' }).first();
      await until('what was typed', async () => (await words.inputValue()) === 'Neither: SQLite');
      const send = back.getByRole('button', { name: 'Send 2 Answers' });
      await until('the answers to be complete', () => send.isEnabled());
      await send.click();
      const { updatedInput } = await form.decision();
      assert.deepEqual(updatedInput.answers, {
        'Which database do we keep?': 'Neither: SQLite',
        'Where does it run?': 'Here, There',
      });
    });

    await part('a plan is read and sent back', async () => {
      const plan = '# Move sessions\n\n1. Add a table\n2. Write to **both**\n\n<script>alert(1)</script>\n';
      const planned = asks('ExitPlanMode', { plan, planFilePath: '/plans/one.md' });
      const at = await editor.threadFrame(prompt);
      const no = at.getByRole('button', { name: 'Keep Planning and Tell project' });
      await at.locator('.request .plan ol li', { hasText: 'Write to both' }).waitFor();
      const approve = at.getByRole('button', { name: 'Approve', exact: true });
      await until('the plan to be seen', () => approve.isEnabled());
      assert.ok(await at.getByRole('button', { name: 'Approve and Edit Freely' }).isEnabled());
      await at.locator('form.reply textarea').fill('Smaller steps.');
      await inThemes(scene, 'request-plan');
      await accessible(await editor.threadFrame(prompt), 'a plan');
      await until('the button', () => no.isEnabled());
      await no.click();
      assert.deepEqual(await planned.decision(), { behavior: 'deny', message: 'Smaller steps.' });
    });

    await part('a request that ends meanwhile keeps what was typed', async () => {
      const gone = asks('Bash', { command: 'make deploy' });
      const at = await editor.threadFrame(prompt);
      await at.locator('.request', { hasText: 'make deploy' }).waitFor();
      await at.locator('form.reply textarea').fill('Not on a Friday.');
      gone.process.kill('SIGTERM');
      await gone.ended;
      assert.equal(gone.out, '');
      await at.locator('.asks .over', { hasText: 'The request is over' }).waitFor();
      assert.equal(await at.locator('.request').count(), 0);
      assert.equal(await at.locator('form.reply textarea').inputValue(), 'Not on a Friday.');
      await scene.shot('request-ended-dark');
    });

    await part('an answer that cannot be written down leaves the request as it is', async () => {
      const log = join(home, '.local/state/signalbox/answers.jsonl');
      const kept = `${log}.kept`;
      renameSync(log, kept);
      mkdirSync(log);
      const asking = asks('Bash', { command: 'make release' });
      const at = await editor.threadFrame(prompt);
      await at.locator('form.reply textarea').fill('');
      const allow = at.getByRole('button', { name: 'Allow Once' });
      await at.locator('.request', { hasText: 'make release' }).waitFor();
      await until('the button', () => allow.isEnabled());
      await allow.click();
      await at.locator('.request .note', { hasText: /^Not answered: it cannot be written/ }).waitFor();
      await scene.shot('request-failed-dark');
      assert.equal(asking.out, '');
      rmdirSync(log);
      renameSync(kept, log);
      await until('the button', () => allow.isEnabled());
      await allow.click();
      assert.equal((await asking.decision()).behavior, 'allow');
    });

    await part('an agent whose thread is not known here has a tab for its request', async () => {
      const other = join(scene.dir, 'other');
      mkdirSync(other);
      const asking = new Hook(home, other, elsewhere, 'PermissionRequest', {
        tool_name: 'Bash',
        tool_input: { command: 'make other' },
      });
      await (await editor.needs.row('make other')).waitFor();
      const tab = await editor.openThread('Claude Code', editor.needs.opener('make other'));
      await tab.locator('.request', { hasText: 'make other' }).waitFor();
      const allow = tab.getByRole('button', { name: 'Allow Once' });
      await until('the button', () => allow.isEnabled());
      await scene.shot('request-tab-dark');
      await accessible(tab, 'a request of its own');
      await allow.click();
      assert.deepEqual(await asking.decision(), { behavior: 'allow' });
      await tab.locator('.asks .over', { hasText: 'Allowed here' }).waitFor();
    });

    await part('a row denies with a reason, and the thread says so', async () => {
      const denied = asks('Bash', { command: 'make mess' });
      await (await editor.needs.row('make mess')).waitFor();
      const thread = await editor.openThread(prompt, editor.needs.opener('make mess'));
      await thread.locator('.request', { hasText: 'make mess' }).waitFor();
      const row = await editor.needs.press('make mess', 'Deny…');
      const why = row.locator('.why textarea');
      await why.fill('Tidy up.');
      await scene.shot('request-row-reason-dark');
      await why.press('Control+Enter');
      assert.deepEqual(await denied.decision(), { behavior: 'deny', message: 'Tidy up.' });
      await until('the row to leave after a key', () => editor.needs.without('make mess'));
      const told = /^The request was denied by ".+" in the editor before$/;
      await thread.locator('.asks .over', { hasText: told }).waitFor();
      await scene.shot('request-elsewhere-dark');
    });
  }),
);

async function inThemes(scene, name) {
  for (const theme of ['light', 'contrast', 'dark']) {
    await scene.theme(theme);
    await scene.shot(`${name}-${theme}`);
  }
}
