// Tests that the check of the conformance tables can fail.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conformanceFaults, formats, idsOf, names } from './conformance.mjs';

const [samp, atsf, agn, amp] = formats;
const testOf = {
  SAMP: 'core/samp/all_test.go',
  ATSF: 'core/atsf/all_test.go',
  AGN: 'core/agn/all_test.go',
  AMP: 'core/amp/all_test.go',
};

/** The row of a rule that is right. */
function row(format, rule) {
  const held = isOther(format, rule) ? 'not ours' : `[test](${testOf[format.name]})`;
  return `| ${rule} | what | ${held} |\n`;
}

function isOther(format, rule) {
  return format.others !== undefined && idsOf(format.others).includes(rule);
}

/** Tables that are right, with one test for all rules of a format. */
function good() {
  const tables = formats.map(
    (format) =>
      `### ${format.heading}\n\n| rule | what | held by |\n|---|---|---|\n` +
      idsOf(format.rules)
        .map((rule) => row(format, rule))
        .join(''),
  );
  return `# Title\n\n## Conformance\n\nAll rules.\n\n${tables.join('\n')}\n## Dependencies\n\n| M1 | not a rule |\n`;
}

const tests = Object.fromEntries(
  formats.map((f) => [testOf[f.name], `${f.own ? '' : f.name} ${idsOf(f.rules).join(' ')}`]),
);

function faults(readme, files = {}) {
  const all = { ...tests, ...files };
  return conformanceFaults(readme, Object.keys(all), (path) => all[path]);
}

test('right tables have no fault', () => {
  assert.deepEqual(faults(good()), []);
});

test('a missing id is a fault of its own table', () => {
  for (const format of formats) {
    for (const rule of idsOf(format.rules)) {
      const wanted = [`README.md: ${format.heading}: rule ${rule} has no row`];
      assert.deepEqual(faults(good().replace(row(format, rule), '')), wanted);
    }
  }
});

test('a table that is missing misses every rule', () => {
  const readme = good().replace('### ATSF 1.1', '### Other');
  const found = faults(readme);
  assert.ok(found.includes('README.md: ATSF 1.1: rule TC2 has no row'));
  assert.ok(found.includes('README.md: no format is called Other'));
});

test('a rule that no test names is a fault, in every format', () => {
  for (const format of formats) {
    const path = testOf[format.name];
    for (const rule of idsOf(format.rules)) {
      const without = tests[path].replace(new RegExp(` ${rule}(?= |$)`), '');
      const wanted = isOther(format, rule) ? [] : [`README.md: ${format.heading}: ${path} does not name rule ${rule}`];
      assert.deepEqual(faults(good(), { [path]: without }), wanted);
    }
  }
});

test('rules for somebody else have no test, and say so', () => {
  const other = row(amp, 'IDK-3');
  const wanted = ['README.md: amp/0.1: rule IDK-3 is for somebody else, and its row does not say "not ours" alone'];
  for (const to of ['| IDK-3 | what | |\n', `| IDK-3 | not ours | [test](${testOf.AMP}) |\n`]) {
    assert.deepEqual(faults(good().replace(other, to)), wanted);
  }
  assert.deepEqual(faults(good().replace(row(amp, 'IDK-2'), '| IDK-2 | what | not ours |\n')), [
    'README.md: amp/0.1: rule IDK-2 links no test',
  ]);
});

test('rows that are wrong', () => {
  const t1 = row(atsf, 'T1');
  const changed = (to) => faults(good().replace(t1, to));
  assert.deepEqual(changed(t1 + t1), ['README.md: ATSF 1.1: rule T1 stands twice']);
  assert.deepEqual(changed(t1 + t1.replace('T1', 'T7')), [
    'README.md: ATSF 1.1: there is no rule T7',
    `README.md: ATSF 1.1: ${testOf.ATSF} does not name rule T7`,
  ]);
  assert.deepEqual(changed('| T1 | what | |\n'), ['README.md: ATSF 1.1: rule T1 links no test']);
  assert.deepEqual(changed('| T1 | what | [x](core/atsf/gone_test.go) |\n'), [
    'README.md: ATSF 1.1: core/atsf/gone_test.go does not name rule T1',
  ]);
  assert.deepEqual(changed('| T1 | what | [x](core/atsf/thread.go) |\n'), [
    'README.md: ATSF 1.1: core/atsf/thread.go is no test',
  ]);
  assert.deepEqual(changed(t1.replace(testOf.ATSF, testOf.SAMP)), [
    `README.md: ATSF 1.1: ${testOf.SAMP} does not name rule T1`,
  ]);
});

test('a rule that a source raises is one of its format', () => {
  assert.deepEqual(faults(good(), { 'core/atsf/x.go': 'Rule: "TC3"', 'core/atsf/x_test.go': '"TC4"' }), [
    'core/atsf/x.go: rule TC3 is not one of ATSF 1.1',
  ]);
  assert.deepEqual(faults(good(), { 'lsp/store/x.go': 'Rule: "M4"', 'lsp/store/threads/x.go': '"M4"' }), [
    'lsp/store/x.go: rule M4 is not one of SAMP v1',
  ]);
  assert.deepEqual(faults(good(), { 'core/agn/x.go': '"X9" "X12"', 'lsp/store/ssot/x.go': '"E13" "M1"' }), [
    'core/agn/x.go: rule X12 is not one of AMP/1.0 tasks',
    'lsp/store/ssot/x.go: rule M1 is not one of AMP/1.0 tasks',
  ]);
  assert.deepEqual(faults(good(), { 'core/amp/x.go': '"ENV-4" "ENV-15"', 'lsp/store/mailbox/x.go': '"STO-1" "T1"' }), [
    'core/amp/x.go: rule ENV-15 is not one of amp/0.1',
    'lsp/store/mailbox/x.go: rule T1 is not one of amp/0.1',
  ]);
});

test('ids are of the format that is named, or of the file', () => {
  for (const [path, text, format, rule, wanted] of [
    ['core/atsf/a_test.go', '// M4 holds', atsf, 'M4', true],
    ['core/atsf/a_test.go', '// L1 holds', samp, 'L1', false],
    ['core/atsf/a_test.go', '// SAMP L1 holds', samp, 'L1', true],
    ['core/atsf/a_test.go', '// SAMP L1 holds', atsf, 'L1', false],
    ['core/samp/a_test.go', 't.Run("L1/x"', samp, 'L1', true],
    ['lsp/store/threads/a_test.go', 't.Run("L1/x"', atsf, 'L1', true],
    ['lsp/store/a_test.go', 't.Run("L1/x"', atsf, 'L1', false],
    ['testdata/cli/threads_new.txtar', '# L1: x', atsf, 'L1', true],
    ['testdata/cli/inbox.txtar', '# ATSF L1: x', atsf, 'L1', true],
    ['testdata/cli/inbox.txtar', '# ATSF L1: x', samp, 'L1', false],
    ['lsp/panel/a_test.go', '// ATSF T1, M4 and TC2/x', atsf, 'TC2', true],
    ['lsp/panel/a_test.go', '// ATSF T1, M4 and TC2/x', atsf, 'T1', true],
    ['lsp/panel/a_test.go', '// ATSF T1 and SAMP L1', atsf, 'L1', false],
    ['lsp/panel/a_test.go', '// ATSF M12', atsf, 'M1', false],
    ['lsp/panel/a_test.go', '// ATSF is read: M1', atsf, 'M1', false],
    ['core/agn/a_test.go', '{"E12 X9 late"', agn, 'X9', true],
    ['core/agn/a_test.go', '{"E12 X9 late"', atsf, 'X9', false],
    ['lsp/store/ssot/a_test.go', '// E13 holds', agn, 'E13', true],
    ['lsp/store/ssot/a_test.go', '// L1 holds', samp, 'L1', false],
    ['testdata/cli/task_send.txtar', '# D2: x', agn, 'D2', true],
    ['testdata/cli/doctor_tasks.txtar', '# AGN E0: x', agn, 'E0', true],
    ['lsp/panel/a_test.go', '// AGN X1, ATSF X2', agn, 'X2', false],
    ['core/amp/a_test.go', '{"AMP ENV-4 too long"', amp, 'ENV-4', true],
    ['core/amp/a_test.go', '// AMP ENV-4, SIG-2 and STO-1/x', amp, 'STO-1', true],
    ['core/amp/a_test.go', '// AMP ENV-13', amp, 'ENV-1', false],
    ['core/amp/a_test.go', 'f.Rule != "ENV-4"', amp, 'ENV-4', false],
    ['core/amp/a_test.go', '// AMP SIG-2 to SIG-7', amp, 'SIG-7', false],
    ['testdata/cli/amp_check.txtar', '# AMP PAY-8: x', amp, 'PAY-8', true],
    ['lsp/store/mailbox/a_test.go', '// SAMP ENV-4', amp, 'ENV-4', false],
    ['core/amp/a_test.go', '// AMP L1', samp, 'L1', false],
  ]) {
    assert.equal(names(path, text, format, rule), wanted, `${format.name} ${rule} in ${path}: ${text}`);
  }
});
