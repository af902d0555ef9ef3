// Compares the types with what the module says: results of the transcript are written
// as TypeScript, and the compiler checks them.
import assert from 'node:assert/strict';
import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ops } from '@signalbox/core';
import ts from 'typescript';
import { read } from './replay.js';
import { repo } from './setup.js';

const root = join(repo, 'wasm/js');
/** How many results of each op are checked: the first ones, and then every step-th. */
const most = 60;
const step = 7;
/** Ops whose result is a line of JSON and bytes after it. */
const headed = new Set(['samp.compact', 'atsf.repair', 'atsf.fork', 'atsf.takeInline']);

test('the types are the shapes of the results', async () => {
  const shapes = readFileSync(join(root, 'src/types.ts'), 'utf8');
  const names = new Map(Object.entries(ops).map(([name, op]) => [op as number, name]));
  const samples = new Map(
    [...shapes.matchAll(/^ {2}'?([a-z]+\.[a-zA-Z]+|info)'?: /gm)].map(([, name]) => [
      name ?? '',
      new Set<string>(),
    ]),
  );
  assert.ok(samples.size > 45, `${samples.size} shapes`);
  const counts = new Map<number, number>();
  for await (const call of read(createReadStream(process.env['SIGNALBOX_TRANSCRIPT'] ?? ''))) {
    const list = samples.get(names.get(call.op) ?? '');
    if (list === undefined || !call.ok) continue;
    const count = (counts.get(call.op) ?? 0) + 1;
    counts.set(call.op, count);
    if (list.size < most && (count < most / 2 || count % step === 0)) {
      const result = new TextDecoder().decode(call.result);
      const head = headed.has(names.get(call.op) ?? '') ? (result.split('\n', 1)[0] ?? '') : result;
      // A literal's __proto__ is no member.
      if (head.length < 20_000 && !head.includes('__proto__')) list.add(head);
    }
  }
  const lines = ["import type { Shapes } from '@signalbox/core';"];
  for (const [name, list] of samples) {
    assert.ok(list.size > 0, `no result of ${name}`);
    lines.push(
      `export const ${name.replace('.', '_')}: readonly Shapes['${name}'][] = [`,
      ...[...list].map((s) => `${s},`),
      '];',
    );
  }
  assert.deepEqual(complaints(lines.join('\n')), []);
  // The compiler does check: it finds an extra member.
  assert.equal(complaints(lines.join('\n').replace('{"valid":', '{"extra":1,"valid":')).length, 1);
});

/** What the compiler says about a file beside the tests. */
function complaints(source: string): string[] {
  const name = join(root, 'test/samples.ts');
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, 'test/tsconfig.json'),
    { noEmit: true, types: [] },
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: () => undefined,
    },
  );
  assert.ok(config);
  const host = ts.createCompilerHost(config.options);
  const plain = ts.createCompilerHost(config.options);
  host.fileExists = (file) => file === name || plain.fileExists(file);
  host.getSourceFile = (file, ...rest) =>
    file === name ? ts.createSourceFile(file, source, rest[0]) : plain.getSourceFile(file, ...rest);
  const program = ts.createProgram([name], config.options, host);
  return ts
    .getPreEmitDiagnostics(program)
    .filter((d) => d.category === ts.DiagnosticCategory.Error)
    .map(
      (d) =>
        `${source.slice(d.start ?? 0, (d.start ?? 0) + 60)}: ${ts.flattenDiagnosticMessageText(d.messageText, '\n')}`,
    );
}
