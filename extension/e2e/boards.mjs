// Makes a picture of every board of the design in a real VS Code, in all themes and at all
// widths, for people to look at: dist-test/shots/boards.
//
//   npm run boards [-- part-of-a-name ...]
//
// The environment is that of run.mjs. What the boards must say and keep is checked by
// boards.check.mjs.

import { Desk } from './desk.mjs';
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
async function all(desk, boards, size, part) {
  for (const board of boards) {
    for (const width of isWanted(board) ? widthsOf(board) : [board.width]) {
      await size(board, width);
      console.log(`${board.name} ${String(width)}`);
      try {
        if (board.passes !== true) await board.show(desk);
        for (const theme of isWanted(board) ? themes : []) {
          await desk.theme(theme);
          if (board.passes === true) await board.show(desk);
          await desk.picture(`${board.name}-${String(width)}-${theme}`, part);
        }
        await desk.theme('dark');
        await board.after?.(desk);
      } catch (error) {
        // The other boards can be looked at all the same.
        console.error(`${board.name} ${String(width)}: ${error.message}`);
        await desk.picture(`${board.name}-${String(width)}-failed`, '.monaco-workbench');
        process.exitCode = 1;
      }
    }
  }
}

const scene = new Scene();
const desk = new Desk(scene);
try {
  await desk.open();
  const side = ({ height }, width) => desk.size(width, height);
  const editor = async (_, width) => {
    await sideBarWidth(desk.page, 300);
    await desk.editorWidth(width);
  };
  await all(desk, needsBoards, side, '.part.sidebar');
  await all(desk, agentBoards, side, '.part.sidebar');
  await all(desk, tabBoards, editor, '.part.editor');
  await all(desk, footerBoards, editor, '.part.editor');
  await all(desk, lastBoards, side, '.part.sidebar');
} finally {
  desk.close();
  await scene.close(false);
}
