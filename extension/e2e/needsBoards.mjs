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
    async show(desk) {
      desk.quiet ??= await quietAgents(desk.office);
      await only(desk.page, 'Needs You', 'Agents');
      await (await desk.needs.frame()).getByText('Nothing needs you.').waitFor();
    },
  },
  {
    name: 'needs-1-busy',
    width: 300,
    async show(desk) {
      desk.busy ??= await busyAfternoon(desk.office, desk.scene.workspace);
      await only(desk.page, 'Needs You');
      await until('all rows', async () => (await desk.needs.description()) === '5 blocked, 4 questions');
      await desk.openOnly(push);
    },
  },
  { name: 'needs-2-question', width: 420, show: (desk) => desk.openOnly(database) },
  {
    name: 'needs-3-plan',
    width: 300,
    async show(desk) {
      // From one that is above both: a click closes no row above it.
      await desk.openOnly('release in release/2.4');
      await desk.openOnly(payment);
      await desk.needs.open('Move sessions');
    },
  },
  {
    name: 'needs-7-unanswered',
    width: 300,
    height: 1100,
    async show(desk) {
      await desk.needs.fold('Unanswered', true);
      await desk.openOnly('backend');
    },
    async after(desk) {
      await desk.openOnly(push);
      await desk.needs.fold('Unanswered', false);
    },
  },
  { name: 'needs-9-narrow', width: 180, show: (desk) => desk.openOnly(push) },
  { name: 'needs-9-wide', width: 560, show: (desk) => desk.openOnly(push) },
];

/** Those for which more happens, and that end what waits: they come last. */
export const lastBoards = [
  {
    name: 'needs-10-form',
    width: 300,
    height: 1000,
    async show(desk) {
      if (desk.form === undefined)
        await desk.meanwhile(async () => {
          desk.form = await desk.quiet.reviewer.asks(3, 'AskUserQuestion', retry);
        });
      await desk.openOnly('2 questions');
    },
  },
  {
    name: 'needs-6-hard',
    width: 300,
    height: 1400,
    async show(desk) {
      if (desk.hard === undefined)
        await desk.meanwhile(async () => {
          desk.hard = await hardCases(desk.office);
        });
      await desk.openOnly('set -euo');
      await desk.needs.open('npm run deploy');
      await desk.needs.open('typedoc');
    },
  },
  {
    name: 'needs-5-deny',
    width: 300,
    height: 1100,
    async show(desk) {
      await desk.openOnly('release in release/2.4');
      const row = await desk.needs.open(clean);
      const box = row.getByRole('textbox');
      if ((await box.count()) === 0) await desk.needs.press(clean, 'Deny…');
      await box.fill('Keep build, I am comparing it. Run npm ci only.');
    },
    async after(desk) {
      const row = await desk.needs.row(clean);
      await row.getByRole('textbox').fill('');
      await row.getByRole('button', { name: 'Cancel' }).click();
    },
  },
  {
    name: 'needs-11-answered',
    width: 300,
    passes: true,
    async show(desk) {
      const { office, busy } = desk;
      if (desk.answered) {
        await leave(desk.page);
        for (const words of [push, rename])
          await until(`${words} to be gone`, () => desk.needs.without(words));
        await desk.meanwhile(async () => {
          await pushes(busy.coder);
          renames(office);
        });
      }
      desk.answered = true;
      await desk.needs.press(push, 'Allow Force Push');
      await desk.needs.press(rename, 'Yes');
      const frame = await desk.needs.frame();
      await frame.getByText('Undo is not possible').first().waitFor();
      await frame.getByText(/^Sent: Yes/).waitFor();
    },
  },
  {
    name: 'needs-4-endings',
    width: 300,
    height: 1200,
    passes: true,
    async show(desk) {
      const { office, busy, release } = desk;
      if (release !== undefined) {
        await release.ends(0);
        await desk.meanwhile(async () => {
          busy.planner = await plans(office);
          await cleans(busy.docs);
        });
      }
      await desk.needs.hover(compare);
      // Answered at its own dialog: the program has used the tool.
      busy.docs.stop();
      await busy.docs.hook('PostToolUse', { tool_name: 'Bash', tool_input: { command: clean } }).ended;
      await busy.planner.ends(4);
      desk.release = await office.agent('release', 'release/2.4');
      await desk.release.asks(0, 'Bash', {
        command: 'npm version minor\ngit push\ngit push --tags\nnpm publish',
      });
      await (await desk.needs.bar()).waitFor();
    },
    after: (desk) => leave(desk.page),
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
