// Fills the column of tests in docs/conformance.md with the tests that name each
// rule. Fails for a rule that no test names, a rule of a checklist without a row, and
// a rule in the code that no checklist has.
//
//   node .ci/conformance.mjs
//
// Rule ids such as T1 exist in several formats, so a test names a rule with its
// format ("ATSF T1", or a list: "ATSF T1 M4"), and by the id alone only in the files
// that belong to one format. Rules of amp/0.1 are named with the format everywhere
// ("AMP ENV-4 SIG-2"), since its tests hold ids as values too.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const page = 'docs/conformance.md';

/**
 * The formats, in the order of the tables. `rules` is the whole checklist of a
 * format, `sources` is where its rules are raised, and `own` are the files in
 * which an id alone is of this format: SAMP, the oldest, has all the others.
 * `others` are rules for somebody else, whose rows say so and link no test.
 */
const formats = [
  {
    name: 'SAMP',
    heading: 'SAMP v1',
    rules: 'L1-L5 R1-R5 I1-I4 T1-T3 W1-W4 N1-N6 P1-P2 S1-S2 C1-C3 D1',
    sources: /^(core|lsp)\/samp\/[^/]+\.go$/,
  },
  {
    name: 'ATSF',
    heading: 'ATSF 1.1',
    rules: 'L1-L6 V1-V3 K1-K3 H1-H6 T1-T6 M1-M5 B1-B3 TC1-TC2 G1 X1-X4 Z1-Z13',
    sources: /^(core\/atsf|lsp\/(atsf|worktree|hooks))\/[^/]+\.go$/,
    own: /^(core\/atsf|lsp\/(atsf|worktree|hooks))\/|^testdata\/cli\/(threads|worktree)/,
  },
  {
    name: 'AGN',
    heading: 'AMP/1.0 tasks',
    rules: 'E0-E13 R1 D1-D9 T1-T10 Q1-Q10 V1-V7 X1-X11 C1-C18',
    sources: /^(core|lsp)\/agn\/[^/]+\.go$/,
    own: /^(core|lsp)\/agn\/|^testdata\/cli\/task/,
  },
  {
    name: 'AMP',
    heading: 'amp/0.1',
    rules: 'ENV-1-ENV-14 PAY-1-PAY-8 ATT-1-ATT-22 SIG-1-SIG-9 STO-1-STO-5 IDK-1-IDK-6 JSN-0-JSN-5',
    others: 'ENV-8 ENV-14 PAY-5 ATT-2 ATT-16-ATT-17 IDK-3-IDK-6',
    sources: /^(core|lsp)\/amp\/[^/]+\.go$/,
  },
];

const id = '(?:[A-Z]{1,2}|[A-Z]{3}-)[0-9]{1,2}';
/** The suite that the hosts of the WebAssembly module share is run by their tests. */
const isTest = /_test\.go$|^wasm\/enginetest\/.*\.go$|\.test\.(ts|mjs)$|^testdata\/.*\.txtar$/;

/** The ids of a list such as "L1-L3 G1" or "ENV-1-ENV-4". */
function idsOf(list) {
  return list.split(' ').flatMap((part) => {
    const [, letters, first, last] = /^([A-Z]+-?)([0-9]+)(?:-[A-Z]+-?([0-9]+))?$/.exec(part);
    return Array.from(
      { length: Number(last ?? first) - Number(first) + 1 },
      (_, n) => letters + (Number(first) + n),
    );
  });
}

/** Whether a file names a rule in a format's sense. */
function names(path, text, format, rule) {
  let named = false;
  const lists = new RegExp(`\\b(${formats.map((f) => f.name).join('|')})((?:[ ,/]+(?:and )?${id}\\b)+)`, 'g');
  const rest = text.replace(lists, (_, of, list) => {
    named ||= of === format.name && new RegExp(`\\b${rule}\\b`).test(list);
    return '';
  });
  const owner = formats.find((f) => f.own?.test(path)) ?? formats[0];
  return named || (owner === format && new RegExp(`\\b${rule}\\b`).test(rest));
}

/** How many tests a row links. */
const most = 3;

/** A row of a table with the tests that name its rule, those of the format's own folders first. */
function filled(format, rule, what, tests) {
  const own = ([path]) => Number(!format.sources.test(path.replace(/_test\.go$/, '.go')));
  const found = tests.filter(([path, text]) => names(path, text, format, rule)).sort((a, b) => own(a) - own(b));
  if (found.length === 0) faults.push(`${page}: ${format.heading}: no test names rule ${rule}`);
  const shown = found.slice(0, most).map(([path]) => `[${basename(path)}](../${path})`);
  return `| ${rule} | ${what} | ${shown.join(', ')} |`;
}

/** The page's chapter of one format with its tests filled in. */
function chapter(format, text, tests) {
  const wanted = new Set(idsOf(format.rules));
  const others = new Set(format.others ? idsOf(format.others) : []);
  const filledIn = text.replace(new RegExp(`^\\| (${id}) \\| (.*?) \\|.*$`, 'gm'), (row, rule, what) => {
    if (!wanted.delete(rule)) faults.push(`${page}: ${format.heading} has no rule ${rule}, or it stands twice`);
    return others.has(rule) ? row : filled(format, rule, what, tests);
  });
  for (const rule of wanted) faults.push(`${page}: ${format.heading}: rule ${rule} has no row`);
  return filledIn;
}

const faults = [];
const files = execFileSync('git', ['ls-files', '-co', '--exclude-standard'], { cwd: root, encoding: 'utf8' }).trim().split('\n');
const read = (path) => readFileSync(join(root, path), 'utf8');
const tests = files.filter((path) => isTest.test(path)).map((path) => [path, read(path)]);
const parts = read(page).split(/^(?=## )/m);
for (const format of formats) {
  const at = parts.findIndex((part) => part.startsWith(`## ${format.heading}\n`));
  if (at < 0) faults.push(`${page}: there is no chapter ${format.heading}`);
  else parts[at] = chapter(format, parts[at], tests);
  const known = new Set(idsOf(format.rules));
  for (const path of files.filter((path) => format.sources.test(path) && !isTest.test(path))) {
    for (const [, rule] of read(path).matchAll(new RegExp(`"(${id})"`, 'g'))) {
      if (!known.has(rule)) faults.push(`${path}: rule ${rule} is not one of ${format.heading}`);
    }
  }
}
writeFileSync(join(root, page), parts.join(''));
for (const fault of faults) console.error(fault);
process.exitCode = faults.length === 0 ? 0 : 1;
