// Makes a picture of every board of the design in a real VS Code, in all themes and at all
// widths, for people to look at: dist-test/shots/boards.
//
//   npm run boards [-- part-of-a-name ...]
//
// The environment is that of run.mjs. What the boards must say and keep is checked by
// boards.check.mjs.

import { Fixture } from './fixture.mjs';
import { sideBarWidth } from './listView.mjs';
import { lastBoards, needsBoards } from './needsBoards.mjs';
import { agentBoards, footerBoards, tabBoards } from './otherBoards.mjs';
import { Scene } from './scene.mjs';

const themes = ['dark', 'light', 'contrast', 'contrastLight'];
const wanted = process.argv.slice(2);
const isWanted = ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part));

/** The widths of a board's pictures, that of the board first. */
const widthsOf = ({ width }) => [...new Set([width, 300, 420])];

/** Shows boards one after the other. Those that are not wanted are shown too: the next ones need them. */
async function all(fixture, boards, size, part) {
  for (const board of boards) {
    for (const width of isWanted(board) ? widthsOf(board) : [board.width]) {
      await size(board, width);
      console.log(`${board.name} ${String(width)}`);
      try {
        if (board.passes !== true) await board.show(fixture);
        for (const theme of isWanted(board) ? themes : []) {
          await fixture.theme(theme);
          if (board.passes === true) await board.show(fixture);
          await fixture.picture(`${board.name}-${String(width)}-${theme}`, part);
        }
        await fixture.theme('dark');
        await board.after?.(fixture);
      } catch (error) {
        // The other boards can be looked at all the same.
        console.error(`${board.name} ${String(width)}: ${error.message}`);
        await fixture.picture(`${board.name}-${String(width)}-failed`, '.monaco-workbench');
        process.exitCode = 1;
      }
    }
  }
}

const scene = new Scene();
const fixture = new Fixture(scene);
try {
  await fixture.open();
  const side = ({ height }, width) => fixture.size(width, height);
  const editor = async (_, width) => {
    await sideBarWidth(fixture.page, 300);
    await fixture.editorWidth(width);
  };
  await all(fixture, needsBoards, side, '.part.sidebar');
  await all(fixture, agentBoards, side, '.part.sidebar');
  await all(fixture, tabBoards, editor, '.part.editor');
  await all(fixture, footerBoards, editor, '.part.editor');
  await all(fixture, lastBoards, side, '.part.sidebar');
} finally {
  fixture.close();
  await scene.close(false);
}
