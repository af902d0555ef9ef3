// Two agents in two worktrees, each the real program driven by a scripted model, and a person
// who answers in the real VS Code whatever they ask and never sees a terminal: permissions,
// questions and a plan. Each program's own dialog is open meanwhile, and closes. What the
// person saw and did is written down, with how long it took until the program went on.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { only } from './listView.mjs';
import { start, Steps } from './programs.mjs';
import { inScene, shots } from './scene.mjs';
import { act, until } from './wait.mjs';
import { makeRepository } from './worktrees.mjs';

// As in cmd/signalbox/internal/realagents/editorasks_test.go.
const push = 'git push --force origin main';
const noPush = 'Not to main: push a branch, and ask for a review.';
const noPlan = 'Write a test before the change.';
const plan = 'shows a plan';

test(
  'two agents are brought through permissions, questions and a plan, and no terminal is opened',
  inScene(async (scene, part) => {
    const folders = makeRepository(join(scene.dir, 'editor/home'), scene.workspace, ['totals']);
    const editor = await scene.open({ settings: { 'signalbox.directories': [] } });
    const person = new Person(scene, editor);
    await editor.openInbox();
    await only(editor.page, 'Needs You'); // all of its rows are in sight
    await (await editor.needs.frame()).getByText('No agent can ask you here yet.').waitFor();
    person.note('Needs You: "Nothing needs you."');
    const claude = new Agent(scene, person, 'claude', 'Mend the login page.', folders.main);
    const codex = new Agent(scene, person, 'codex', 'Round the totals.', folders.totals);
    try {
      await claude.begins();
      await codex.begins();
      await part('both wait', async () => {
        await claude.asks(1, plan);
        await codex.asks(0, 'touch made');
        await until('the badge', async () => (await editor.badge()) === '2');
        await person.shot('both');
      });
      await part('a plan is sent back', () => claude.isSentBack(1, 'Mend the login page.', noPlan));
      await part('a command is allowed', () => codex.isAllowed(0, 'touch made'));
      await part('the next plan is approved', () => claude.isApproved(3, 'Write a test of the login page.'));
      await part('a command is denied', () => codex.isDenied(1, push, noPush));
      // Codex goes on without an answer after a minute.
      await part('a question is answered', () => codex.isAnswered(2, 'Which licence?', 'Apache-2.0'));
      await part('another command is allowed', () => claude.isAllowed(4, 'touch made'));
      await part('another command is denied', () => claude.isDenied(5, push, noPush));
      await part('another question is answered', () => claude.isAnswered(6, 'Which licence?', 'Apache-2.0'));
      await part('nothing needs the person any more', async () => {
        for (const agent of [codex, claude]) await agent.ends();
        await (await editor.needs.frame()).getByText('Nothing needs you.').waitFor();
        assert.equal(await editor.badge(), '');
        assert.equal(await editor.page.locator('.terminal-wrapper').count(), 0, 'no terminal was opened');
        person.note('Needs You: "Nothing needs you." No terminal was opened in this window.');
        await person.shot('done');
      });
    } finally {
      claude.stop();
      codex.stop();
      person.write('unblock-transcript.txt');
    }
  }),
);

/** Who sits at the window. What is seen and done is noted, with the time since the window was open. */
class Person {
  #scene;
  #began = Date.now();
  #lines = [];

  constructor(scene, editor) {
    this.#scene = scene;
    this.editor = editor;
  }

  note(text, at = Date.now()) {
    const seconds = ((at - this.#began) / 1000).toFixed(2).padStart(7);
    this.#lines.push({ at, text: `${seconds} s  ${text.replaceAll('\n', '\n           ')}` });
  }

  write(name) {
    const lines = this.#lines.toSorted((a, b) => a.at - b.at).map(({ text }) => `${text}\n`);
    writeFileSync(join(shots, name), lines.join(''));
  }

  shot(name) {
    return this.#scene.shot(`unblock-${name}-dark`);
  }

  /** Clicks a button in a page. Returns when the page was told. */
  async click(button) {
    await button.waitFor();
    const frame = await button.elementHandle().then((one) => one.ownerFrame());
    await button.evaluate((one) => {
      one.addEventListener('click', () => (window.clickedAt = Date.now()), { capture: true, once: true });
    });
    await button.click();
    return frame.evaluate(() => window.clickedAt);
  }
}

/** An agent's program in a worktree, and what the person does for it. */
class Agent {
  #scene;
  #person;
  #client;
  #title;
  #folder;
  #name;
  #steps;
  #run;

  constructor(scene, person, client, title, folder) {
    this.#scene = scene;
    this.#person = person;
    this.#client = client;
    this.#title = title;
    this.#folder = folder;
    this.#name = basename(folder);
    this.#steps = new Steps(scene, client);
  }

  async begins() {
    const env = { SIGNALBOX_STORY_FOLDER: this.#folder, SIGNALBOX_STORY_STEPS: this.#steps.file };
    this.#run = start(this.#scene, this.#client, 'TestEditorsAsking', env);
    const at = await this.#told('begins', 0);
    this.#person.note(`(${this.#client} begins in ${this.#name}, outside of this window.)`, at);
  }

  /** Waits until a step of the program asks: in its dialog, and in Needs You. Returns its row. */
  async asks(step, words) {
    await this.#told('asks', step);
    const head = await this.#person.editor.needs.head(words);
    await head.waitFor();
    return head;
  }

  isAllowed(step, command) {
    return this.#answer(step, command, command, (card) => this.#press(card, 'Allow Once'));
  }

  isDenied(step, command, reason) {
    return this.#answer(step, command, command, (_, frame) => this.#tell(frame, reason, 'Deny and Tell'));
  }

  isApproved(step, shown) {
    return this.#answer(step, plan, shown, (card) => this.#press(card, 'Approve'));
  }

  isSentBack(step, shown, reason) {
    return this.#answer(step, plan, shown, (_, frame) => this.#tell(frame, reason, 'Keep Planning and Tell'));
  }

  isAnswered(step, question, option) {
    return this.#answer(step, `asks: ${question}`, question, async (card) => {
      const at = await this.#person.click(card.locator('.opt', { hasText: option }));
      this.#person.note(`Clicked "${option}".`, at);
      return at;
    });
  }

  /** The program's end, after its last step. */
  async ends() {
    const { code, output } = await this.#run.ended;
    assert.equal(code, 0, output);
    assert.match(output, /--- PASS: TestEditorsAsking/);
    this.#person.note(`(${this.#client} has done all that was allowed, and nothing else.)`);
  }

  stop() {
    this.#run?.stop();
  }

  /** When a step came to be something. A program that ended says why. */
  #told(what, step) {
    return Promise.race([
      until(`step ${step} of ${this.#client}: ${what}`, () => this.#steps.at(what, step), 180_000),
      this.#run.ended.then(({ output }) => assert.fail(`${this.#client} ended: ${output}`)),
    ]);
  }

  /** Goes to what the agent asks by its row, reads it and answers it. */
  async #answer(step, words, shown, decide) {
    const row = await this.asks(step, words);
    const label = await row.locator('> .sr').textContent();
    const frame = await act(
      `the thread of ${this.#client}`,
      () => this.#person.editor.needs.opener(words).click(),
      () => this.#person.editor.threadFrame(this.#title, 0),
    );
    this.#person.note(`Pressed Enter on the row of Needs You: "${label}".`);
    const card = frame.locator('section.request', { hasText: shown });
    await card.waitFor();
    const title = await card.getAttribute('aria-label');
    this.#person.note(`Read in its thread: ${title}:\n${await card.locator('.asked').innerText()}`);
    await this.#person.shot(`${this.#client}-${step}`);
    const clicked = await decide(card, frame);
    const answered = await this.#told('answered', step);
    const closed = await this.#told('closes', step);
    const on = await this.#told('goes-on', step);
    const took = `(${this.#client} has the answer ${answered - clicked} ms after the click`;
    this.#person.note(`${took}, and its model ${on - clicked} ms; its own dialog has closed.)`, closed);
  }

  async #press(card, name) {
    const at = await this.#person.click(card.getByRole('button', { name, exact: true }));
    this.#person.note(`Clicked ${name}.`, at);
    return at;
  }

  async #tell(frame, reason, name) {
    await frame.locator('form.reply textarea').fill(reason);
    this.#person.note(`Typed "${reason}" into the box.`);
    return this.#press(frame.locator('form.reply'), `${name} ${this.#name}`);
  }
}
