// Holds the conformance tables of README.md to the rules of each format and to
// the tests that name them. Rule ids such as T1 exist in several formats, so a
// test names a rule with its format ("ATSF T1", or a list: "ATSF T1 M4"), and
// by the id alone only where all of the file belongs to that format. Rules of
// amp/0.1 are named with the format everywhere ("AMP ENV-4 SIG-2"), since its
// tests hold ids as values too.

/**
 * The formats, in the order of the tables. `rules` is the whole checklist of a
 * format, `sources` is where its rules are raised, and `own` are the files in
 * which an id alone is of this format: SAMP, the oldest, has all the others.
 * `others` are rules for somebody else, whose rows say so and link no test.
 */
export const formats = [
  {
    name: 'SAMP',
    heading: 'SAMP v1',
    rules: 'L1-L5 R1-R5 I1-I4 T1-T3 W1-W4 N1-N6 P1-P2 S1-S2 C1-C3 D1',
    sources: /^(core\/samp|lsp\/store)\/[^/]+\.go$/,
  },
  {
    name: 'ATSF',
    heading: 'ATSF 1.1',
    rules: 'L1-L6 V1-V3 K1-K3 H1-H6 T1-T6 M1-M5 B1-B3 TC1-TC2 G1 X1-X4 Z1-Z13',
    sources: /^(core\/atsf|lsp\/store\/(threads|worktree|hooks))\/[^/]+\.go$/,
    own: /^(core\/atsf|lsp\/store\/(threads|worktree|hooks))\/|^testdata\/cli\/(threads|worktree)/,
  },
  {
    name: 'AGN',
    heading: 'AMP/1.0 tasks',
    rules: 'E0-E13 R1 D1-D9 T1-T10 Q1-Q10 V1-V7 X1-X11 C1-C18',
    sources: /^(core\/agn|lsp\/store\/ssot)\/[^/]+\.go$/,
    own: /^(core\/agn|lsp\/store\/ssot)\/|^testdata\/cli\/task/,
  },
  {
    name: 'AMP',
    heading: 'amp/0.1',
    rules: 'ENV-1-ENV-14 PAY-1-PAY-8 ATT-1-ATT-22 SIG-1-SIG-9 STO-1-STO-5 IDK-1-IDK-6 JSN-0-JSN-5',
    others: 'ENV-8 ENV-14 PAY-5 ATT-2 ATT-16-ATT-17 IDK-3-IDK-6',
    sources: /^(core\/amp|lsp\/store\/mailbox)\/[^/]+\.go$/,
  },
];

const id = '(?:[A-Z]{1,2}|[A-Z]{3}-)[0-9]{1,2}';
/** The suite that the hosts of the WebAssembly module share is run by their tests. */
const isTest = /_test\.go$|^wasm\/enginetest\/.*\.go$|\.test\.(ts|mjs)$|^testdata\/.*\.txtar$/;

/** The ids of a list such as "L1-L3 G1" or "ENV-1-ENV-4". */
export function idsOf(list) {
  return list.split(' ').flatMap((part) => {
    const [, letters, first, last] = /^([A-Z]+-?)([0-9]+)(?:-[A-Z]+-?([0-9]+))?$/.exec(part);
    return Array.from(
      { length: Number(last ?? first) - Number(first) + 1 },
      (_, n) => letters + (Number(first) + n),
    );
  });
}

/** Whether a file names a rule in a format's sense. */
export function names(path, text, format, rule) {
  let named = false;
  const lists = new RegExp(`\\b(${formats.map((f) => f.name).join('|')})((?:[ ,/]+(?:and )?${id}\\b)+)`, 'g');
  const rest = text.replace(lists, (_, of, list) => {
    named ||= of === format.name && new RegExp(`\\b${rule}\\b`).test(list);
    return '';
  });
  const owner = formats.find((f) => f.own?.test(path)) ?? formats[0];
  return named || (owner === format && new RegExp(`\\b${rule}\\b`).test(rest));
}

/** The tables below "## Conformance": {rule: linked paths} by heading. */
function tablesOf(readme) {
  const chapter = readme.split(/^## Conformance$/m)[1]?.split(/^## /m)[0] ?? '';
  const tables = new Map();
  for (const section of chapter.split(/^### /m).slice(1)) {
    const rows = [...section.matchAll(new RegExp(`^\\| (${id}) \\|(.*)$`, 'gm'))];
    tables.set(
      section.split('\n')[0].trim(),
      rows.map(([, rule, cells]) => ({
        rule,
        cells,
        paths: [...cells.matchAll(/\]\(([^)]+)\)/g)].map(([, path]) => path),
      })),
    );
  }
  return tables;
}

/**
 * The faults of README.md's tables. `files` lists the files of the project, and
 * `read` gives the text of one, or undefined if it is not there.
 */
export function conformanceFaults(readme, files, read) {
  const faults = [];
  const tables = tablesOf(readme);
  for (const format of formats) {
    const where = `README.md: ${format.heading}`;
    const rows = tables.get(format.heading) ?? [];
    const wanted = new Set(idsOf(format.rules));
    const others = new Set(format.others ? idsOf(format.others) : []);
    const listed = new Set();
    for (const { rule, cells, paths } of rows) {
      if (!wanted.has(rule)) faults.push(`${where}: there is no rule ${rule}`);
      if (listed.has(rule)) faults.push(`${where}: rule ${rule} stands twice`);
      listed.add(rule);
      if (others.has(rule)) {
        if (paths.length > 0 || !cells.includes('not ours')) {
          faults.push(`${where}: rule ${rule} is for somebody else, and its row does not say "not ours" alone`);
        }
        continue;
      }
      if (paths.length === 0) faults.push(`${where}: rule ${rule} links no test`);
      for (const path of paths) {
        const text = read(path) ?? '';
        if (!isTest.test(path)) faults.push(`${where}: ${path} is no test`);
        else if (!names(path, text, format, rule)) faults.push(`${where}: ${path} does not name rule ${rule}`);
      }
    }
    for (const rule of wanted) if (!listed.has(rule)) faults.push(`${where}: rule ${rule} has no row`);
    for (const path of files.filter((path) => format.sources.test(path) && !path.endsWith('_test.go'))) {
      for (const [, rule] of (read(path) ?? '').matchAll(new RegExp(`"(${id})"`, 'g'))) {
        if (!wanted.has(rule)) faults.push(`${path}: rule ${rule} is not one of ${format.heading}`);
      }
    }
  }
  for (const heading of tables.keys()) {
    if (!formats.some((format) => format.heading === heading)) {
      faults.push(`README.md: no format is called ${heading}`);
    }
  }
  return faults;
}
