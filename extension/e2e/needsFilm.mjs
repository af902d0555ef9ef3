// The first animation of the documentation: three agents wait, a command is allowed and a
// question answered by a key each, and the next one opens.

import { Fixture } from './fixture.mjs';
import { Film, look } from './film.mjs';
import { isLive, only } from './listView.mjs';
import { Scene } from './scene.mjs';
import { until } from './wait.mjs';

const database = 'Which database do we keep?';
const rename = 'May I rename “token” to “credential”?';

/** Makes docs/images/needs.gif. */
export async function needsFilm() {
  const scene = new Scene();
  const fixture = new Fixture(scene);
  try {
    const coder = await waiting(fixture.office);
    const editor = await fixture.open('light');
    const { page } = editor;
    await editor.openFile('auth.ts');
    await only(page, 'Needs You');
    await fixture.size(360);
    await editor.command('Notifications: Clear All Notifications');
    await until('all rows', async () => (await (await fixture.needs.rows()).count()) === 3);
    await fixture.needs.focus(editor);
    await fixture.only('npm test');
    const film = new Film(page, scene.dir);
    await live(fixture, 'npm test', 'Allow Once');
    await film.frame(look);
    await page.keyboard.press('a');
    await coder.decision();
    await fixture.only(database);
    await (await fixture.needs.bar()).waitFor({ state: 'hidden' });
    await film.frame(look);
    await live(fixture, database, 'Keep Postgres 14');
    await page.keyboard.press('1');
    await fixture.only(rename);
    await film.frame(look);
    await until('the answer to be sent', async () => (await fixture.needs.description()) === '1 question');
    await film.frame(look);
    film.write('needs');
  } finally {
    fixture.close();
    await scene.close(false);
  }
}

async function waiting(office) {
  const coder = await office.agent('coder', 'fix/login', { prompt: 'Compare passwords in constant time.' });
  coder.edits('auth.ts', { added: 120, removed: 14 });
  const planner = await office.agent('planner', 'feat/sessions', { prompt: 'Move sessions to Postgres.' });
  planner.edits('store.ts', { added: 64, removed: 0 });
  planner.log.says('The migration is written; one question is left.');
  await planner.was('working', 9);
  const docs = await office.agent('docs', 'docs/api', { prompt: 'Build the reference of the API.' });
  docs.edits('api.md', { added: 38, removed: 6 });
  docs.log.says('Now I build the reference and compare the links with the old one.');
  await docs.was('working', 5);
  const options = ['Keep Postgres 14', 'Move to Postgres 17 now', 'Move after the release'];
  const asked = [
    'The migration touches every table. Postgres 14 gets fixes until November; moving now costs about a day.',
    database,
  ];
  office.writes('planner', 9, `${asked.join(' ')}\n\n${options.map((one) => `- [ ] ${one}`).join('\n')}`);
  office.writes('docs', 5, `${rename}\n\n- [ ] Yes\n- [ ] No`);
  return coder.asks(12, 'Bash', { command: 'npm test -- --watch=false', description: 'Run the tests' });
}

/** Waits until a button takes clicks and keys. */
const live = async (fixture, row, name) => {
  const button = (await fixture.needs.row(row)).getByRole('button', { name: new RegExp(`^(\\d )?${name}`) });
  await until(`${name} to be live`, () => isLive(button.first()));
};
