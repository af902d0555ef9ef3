// Tests that the check of the conformance tables can fail.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { conformanceFaults, formats, idsOf, names } from './conformance.mjs';

const [samp, atsf, agn] = formats;
const testOf = {
  SAMP: 'core/samp/all_test.go',
  ATSF: 'core/atsf/all_test.go',
  AGN: 'core/agn/all_test.go',
};

/** Tables that are right, with one test for all rules of a format. */
function good() {
  const tables = formats.map(
    (format) =>
      `### ${format.heading}\n\n| rule | what | held by |\n|---|---|---|\n` +
      idsOf(format.rules)
        .map((rule) => `| ${rule} | what | [test](${testOf[format.name]}) |\n`)
        .join(''),
  );
  return `# Title\n\n## Conformance\n\nAll rules.\n\n${tables.join('\n')}\n## Dependencies\n\n| M1 | not a rule |\n`;
}

const tests = Object.fromEntries(formats.map((f) => [testOf[f.name], idsOf(f.rules).join(' ')]));

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
      const row = `| ${rule} | what | [test](${testOf[format.name]}) |\n`;
      const wanted = [`README.md: ${format.heading}: rule ${rule} has no row`];
      assert.deepEqual(faults(good().replace(row, '')), wanted);
    }
  }
});

test('a table that is missing misses every rule', () => {
  const readme = good().replace('### ATSF 1.1', '### Other');
  const found = faults(readme);
  assert.ok(found.includes('README.md: ATSF 1.1: rule TC2 has no row'));
  assert.ok(found.includes('README.md: no format is called Other'));
});

test('rows that are wrong', () => {
  const row = `| T1 | what | [test](${testOf.ATSF}) |\n`;
  const changed = (to) => faults(good().replace(row, to));
  assert.deepEqual(changed(row + row), ['README.md: ATSF 1.1: rule T1 stands twice']);
  assert.deepEqual(changed(row + row.replace('T1', 'T7')), [
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
  assert.deepEqual(changed(row.replace(testOf.ATSF, testOf.SAMP)), [
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
  ]) {
    assert.equal(names(path, text, format, rule), wanted, `${format.name} ${rule} in ${path}: ${text}`);
  }
});
