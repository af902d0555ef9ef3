// The boards of "Needs You": what is done until the view shows them, in this order in one
// window. The first comes before anything waits.

import {
  busyAfternoon,
  clean,
  cleans,
  compare,
  database,
  payment,
  plans,
  push,
  pushes,
  quietAgents,
  rename,
  renames,
} from './busy.mjs';
import { leave, only } from './listView.mjs';
import { until } from './wait.mjs';

const migrations = [
  'set -euo pipefail',
  'for f in migrations/*.sql; do',
  '  psql "$STAGING" -f "$f"',
  'done',
  `psql "$STAGING" <<'SQL'`,
  'BEGIN;',
  ...Array.from({ length: 24 }, (_, n) => `UPDATE sessions SET part = ${n} WHERE id % 24 = ${n};`),
  'DROP TABLE sessions_old;',
  ...Array.from({ length: 15 }, (_, n) => `ANALYZE sessions_${n};`),
  'COMMIT;',
  'SQL',
].join('\n');

const retry = {
  questions: [
    {
      ...{ question: 'How often?', header: 'Retry', multiSelect: false },
      options: [{ label: 'Once' }, { label: 'Three times' }],
    },
    {
      ...{ question: 'Which errors are tried again?', header: 'Errors', multiSelect: true },
      options: [
        { label: '429 Too Many Requests' },
        { label: '503 Unavailable' },
        { label: 'Network errors', description: 'A payment could be made twice' },
      ],
    },
  ],
};

/**
 * name: of the pictures. width: of the side bar on the board; pictures are made at 300 and 420 too.
 * passes: what it shows has passed soon, and happens anew for each picture. show: brings the view there.
 */
export const needsBoards = [
  {
    name: 'needs-8-none',
    width: 300,
    async show(fixture) {
      fixture.quiet ??= await quietAgents(fixture.office);
      await only(fixture.page, 'Needs You', 'Agents');
      await (await fixture.needs.frame()).getByText('Nothing needs you.').waitFor();
    },
  },
  {
    name: 'needs-1-busy',
    width: 300,
    async show(fixture) {
      fixture.busy ??= await busyAfternoon(fixture.office, fixture.scene.workspace);
      await only(fixture.page, 'Needs You');
      await until('all rows', async () => (await fixture.needs.description()) === '5 blocked, 4 questions');
      await fixture.openOnly(push);
    },
  },
  { name: 'needs-2-question', width: 420, show: (fixture) => fixture.openOnly(database) },
  {
    name: 'needs-3-plan',
    width: 300,
    async show(fixture) {
      // From one that is above both: a click closes no row above it.
      await fixture.openOnly('release in release/2.4');
      await fixture.openOnly(payment);
      await fixture.needs.open('Move sessions');
    },
  },
  {
    name: 'needs-7-unanswered',
    width: 300,
    height: 1100,
    async show(fixture) {
      await fixture.needs.fold('Unanswered', true);
      await fixture.openOnly('backend');
    },
    async after(fixture) {
      await fixture.openOnly(push);
      await fixture.needs.fold('Unanswered', false);
    },
  },
  { name: 'needs-9-narrow', width: 180, show: (fixture) => fixture.openOnly(push) },
  { name: 'needs-9-wide', width: 560, show: (fixture) => fixture.openOnly(push) },
];

/** Those for which more happens, and that end what waits: they come last. */
export const lastBoards = [
  {
    name: 'needs-10-form',
    width: 300,
    height: 1000,
    async show(fixture) {
      if (fixture.form === undefined)
        await fixture.meanwhile(async () => {
          fixture.form = await fixture.quiet.reviewer.asks(3, 'AskUserQuestion', retry);
        });
      await fixture.openOnly('2 questions');
    },
  },
  {
    name: 'needs-6-hard',
    width: 300,
    height: 1400,
    async show(fixture) {
      if (fixture.hard === undefined)
        await fixture.meanwhile(async () => {
          fixture.hard = await hardCases(fixture.office);
        });
      await fixture.openOnly('set -euo');
      await fixture.needs.open('npm run deploy');
      await fixture.needs.open('typedoc');
    },
  },
  {
    name: 'needs-5-deny',
    width: 300,
    height: 1100,
    async show(fixture) {
      await fixture.openOnly('release in release/2.4');
      const row = await fixture.needs.open(clean);
      const box = row.getByRole('textbox');
      if ((await box.count()) === 0) await fixture.needs.press(clean, 'Deny…');
      await box.fill('Keep build, I am comparing it. Run npm ci only.');
    },
    async after(fixture) {
      const row = await fixture.needs.row(clean);
      await row.getByRole('textbox').fill('');
      await row.getByRole('button', { name: 'Cancel' }).click();
    },
  },
  {
    name: 'needs-11-answered',
    width: 300,
    passes: true,
    async show(fixture) {
      const { office, busy } = fixture;
      if (fixture.answered) {
        await leave(fixture.page);
        for (const words of [push, rename])
          await until(`${words} to be gone`, () => fixture.needs.without(words));
        await fixture.meanwhile(async () => {
          await pushes(busy.coder);
          renames(office);
        });
      }
      fixture.answered = true;
      await fixture.needs.press(push, 'Allow Force Push');
      await fixture.needs.press(rename, 'Yes');
      const frame = await fixture.needs.frame();
      await frame.getByText('Undo is not possible').first().waitFor();
      await frame.getByText(/^Sent: Yes/).waitFor();
    },
  },
  {
    name: 'needs-4-endings',
    width: 300,
    height: 1200,
    passes: true,
    async show(fixture) {
      const { office, busy, release } = fixture;
      if (release !== undefined) {
        await release.ends(0);
        await fixture.meanwhile(async () => {
          busy.planner = await plans(office);
          await cleans(busy.docs);
        });
      }
      await fixture.needs.hover(compare);
      // Answered at its own dialog: the program has used the tool.
      busy.docs.stop();
      await busy.docs.hook('PostToolUse', { tool_name: 'Bash', tool_input: { command: clean } }).ended;
      await busy.planner.ends(4);
      fixture.release = await office.agent('release', 'release/2.4');
      await fixture.release.asks(0, 'Bash', {
        command: 'npm version minor\ngit push\ngit push --tags\nnpm publish',
      });
      await (await fixture.needs.bar()).waitFor();
    },
    after: (fixture) => leave(fixture.page),
  },
];

/** Long, hidden and foreign text; one that only its terminal can answer; agents with the same name. */
async function hardCases(office) {
  const long = await office.agent('coder', 'fix/login');
  await long.asks(22, 'Bash', { command: migrations, description: 'Migrate staging' });
  const hidden = await office.agent('release', 'release/2.4');
  await hidden.asks(16, 'Bash', { command: 'npm run deploy -- --to prod\u202egnigats#' });
  office.session('gemini', 'docs', 'docs/api', 'waiting', 11, {
    for: 'permission: npx typedoc --out docs/api',
  });
  for (const [minutes, command] of [
    [8, 'npm dedupe'],
    [6, 'npm audit fix'],
  ])
    await (await office.agent('coder', 'chore/deps')).asks(minutes, 'Bash', { command });
  const auditor = await office.agent('frontend-accessibility-auditor-2', 'spike/queue');
  await auditor.asks(5, 'Bash', {
    command: 'npx playwright test --project=chromium e2e/checkout.spec.ts --update-snapshots',
  });
  const edit = await office.agent('coder', 'fix/login');
  await edit.asks(1, 'Edit', { file_path: `${office.home}/.npmrc`, old_string: 'a', new_string: 'b' });
  office.writes('מתרגם', 19, 'האם לתרגם גם את הודעות השגיאה של npm ci?');
  return true;
}
