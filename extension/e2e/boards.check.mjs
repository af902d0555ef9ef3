// The boards of the design in a real VS Code: each says what it must, as a screen reader has
// it, keeps the rules of accessibility, and fits at its width. The busy one is looked at in all
// themes, at all widths and at twice the size. The box of a thread has a story of its own,
// footer.test.mjs. For pictures of all of them: boards.mjs.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { accessible } from './axe.mjs';
import { sayings } from './boardWords.mjs';
import { push } from './busy.mjs';
import { Fixture } from './fixture.mjs';
import { atTwiceTheSize, sideBarWidth } from './listView.mjs';
import { measured } from './measure.mjs';
import { lastBoards, needsBoards } from './needsBoards.mjs';
import { agentBoards, tabBoards } from './otherBoards.mjs';
import { inScene } from './scene.mjs';
import { spoken } from './spoken.mjs';

const themes = ['light', 'contrast', 'contrastLight', 'dark'];

test(
  'every board says what it must, and can be used by everybody',
  inScene(async (scene, part) => {
    const fixture = new Fixture(scene);
    try {
      await fixture.open();
      const side = async ({ width, height }) => fixture.size(width, height);
      const editor = async ({ width }) => {
        await sideBarWidth(fixture.page, 300);
        await fixture.editorWidth(width);
      };
      for (const [boards, size, list] of [
        [needsBoards, side, fixture.needs],
        [agentBoards, side, fixture.agents],
        [tabBoards, editor],
        [lastBoards, side, fixture.needs],
      ])
        for (const board of boards)
          await part(board.name, async () => {
            await size(board);
            const frame = (await board.show(fixture)) ?? (await list.frame());
            await holds(fixture, frame, board.name, list === undefined ? 'editor' : 'sideBar');
            if (board.name === 'needs-1-busy') await everyLook(fixture);
            await board.after?.(fixture);
          });
    } finally {
      fixture.close();
    }
  }),
);

/** What holds for each board. */
async function holds(fixture, frame, name, ground = 'sideBar') {
  const lines = await spoken(fixture.page, frame);
  const said = lines.map((line) => line.trim());
  let from = 0;
  for (const words of sayings[name] ?? []) {
    const at = said.findIndex((line, n) => n >= from && isSaid(line, words));
    assert.ok(at >= 0, `${name}: nothing says ${String(words)} in its place:\n${lines.join('\n')}`);
    from = at + 1;
  }
  const heights = await measured(frame, name);
  if (ground === 'sideBar') await isOneStop(frame, name);
  if (ground === 'sideBar')
    assert.ok(
      heights.every((height) => height <= 60),
      `${name}: rows of ${String(heights)} px`,
    );
  await accessible(frame, name, ground);
}

/** All rows are one stop of Tab, and what happens is said. */
async function isOneStop(frame, name) {
  const stops = frame.locator('main li.row > button[aria-expanded]:not([tabindex="-1"])');
  const rows = await frame.locator('main li.row > button[aria-expanded]').count();
  assert.equal(await stops.count(), Math.min(rows, 1), `${name}: rows that are stops of Tab`);
  assert.ok((await frame.locator('[role="status"]').count()) > 0, `${name}: nothing says what happens`);
}

const isSaid = (line, words) => (words instanceof RegExp ? words.test(line) : line.includes(words));

/** The busy board in all themes, at all widths and at twice the size. */
async function everyLook(fixture) {
  for (const theme of themes) {
    await fixture.theme(theme);
    const frame = await fixture.needs.frame();
    await measured(frame, `the busy board, ${theme}`);
    await accessible(frame, `the busy board, ${theme}`, 'sideBar');
  }
  for (const width of [180, 240, 420, 560]) {
    await sideBarWidth(fixture.page, width);
    await measured(await fixture.needs.frame(), `the busy board, ${String(width)} px`);
  }
  await sideBarWidth(fixture.page, 300);
  await atTwiceTheSize(fixture.page, async () => {
    await measured(await fixture.needs.frame(), 'the busy board at twice the size');
    const open = await fixture.needs.row(push);
    await open.getByRole('button', { name: 'Deny…' }).scrollIntoViewIfNeeded();
    await fixture.picture('needs-1-busy-zoom200-dark', '.monaco-workbench');
  });
}
