import { Ajv } from 'ajv';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { lenient, type Schema } from '../scripts/lenient.mjs';

const testdata = join('..', 'testdata');

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'));
}

function readSchema(name: string): Schema {
  const schema = readJson(join('schemas', `${name}.schema.json`));
  assert.ok(isSchema(schema));
  return schema;
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null;
}

const names = readdirSync('schemas').map((file) => file.replace('.schema.json', ''));
const ajv = new Ajv({ strict: false, allErrors: true });
const strict = new Map(names.map((name) => [name, ajv.compile(readSchema(name))]));

function files(folder: string, ending = '.json'): string[] {
  return readdirSync(join(testdata, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith(ending))
    .map((name) => join(testdata, folder, name));
}

/** Every fixture with its schema, and whether the core accepts it. */
const fixtures: { schema: string; file: string; sound: boolean }[] = [
  ...files('agn/amp-chain').map((file) => ({ schema: 'agn-message', file, sound: true })),
  ...files('agn/invalid').map((file) => ({ schema: 'agn-message', file, sound: false })),
  ...['inbox', 'sent', 'states'].flatMap((box) =>
    files(`amp/${box}`).map((file) => ({
      schema: 'amp-message',
      file,
      sound: !file.includes('-unsigned-'),
    })),
  ),
  ...files('atsf', 'thread.json').map((file) => ({
    schema: 'atsf-thread',
    file,
    sound: !file.includes('major-2'),
  })),
  ...files('atsf', 'config.json').map((file) => ({ schema: 'atsf-config', file, sound: true })),
];

/** Faults that no schema can express: they depend on other members or messages. */
const beyondSchemas = [
  'E1-msg_id-task-mismatch.json',
  'Q6-ref-unresolvable.json',
  'Q8-ci-failed.json',
  'T1-unknown-subtask.json',
];

const records: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  'agn-ack': {
    format: 'signalbox-ack/1',
    msg_id: 'task_dispatch-T-2026-044-1772116327001',
    by: 'executor',
    timestamp: '2026-02-26T14:33:07.000+00:00',
  },
  'agn-resume': {
    format: 'signalbox-resume/1',
    msg_id: 'escalation-T-2026-044-1772120327001',
    action: 'redirect',
    text: 'The timer renews',
    by: 'admin',
    timestamp: '2026-02-26T16:02:11.000+00:00',
  },
  'agn-task': {
    format: 'signalbox-task/1',
    task_id: 'T-2026-044',
    title: 'Logged out too early',
    repo: '/src/shop',
    branch: 'fix/login',
    risk_level: 'medium',
    phase: 'resumed',
    reject_count: 1,
    messages: 5,
    last_msg_id: '',
    created: '2026-02-26T14:32:07.000+00:00',
    updated: '2026-02-26T16:02:11.000+00:00',
  },
};

describe('schemas', () => {
  it('call sound what is sound, and find what they can', () => {
    assert.ok(fixtures.length > 70);
    for (const { schema, file, sound } of fixtures) {
      const expected = sound || beyondSchemas.includes(basename(file));
      const validate = strict.get(schema);
      assert.equal(validate?.(readJson(file)), expected, `${file}: ${ajv.errorsText(validate?.errors)}`);
    }
  });

  it('know our records, and miss each member of them', () => {
    for (const [name, record] of Object.entries(records)) {
      const validate = strict.get(name);
      assert.ok(validate);
      assert.equal(validate(record), true, ajv.errorsText(validate.errors));
      for (const key of Object.keys(record)) {
        const without = Object.fromEntries(Object.entries(record).filter(([one]) => one !== key));
        assert.equal(validate(without), false, `${name} without ${key}`);
        assert.equal(validate({ ...record, [key]: {} }), false, `${name} with another ${key}`);
      }
    }
  });

  it('explain every member, with the rule', () => {
    const visit = (schema: Schema, path: string): void => {
      const { properties, description, ...rest } = schema;
      if (isSchema(properties)) {
        for (const [name, member] of Object.entries(properties)) {
          assert.ok(isSchema(member));
          const words = member['description'];
          assert.ok(typeof words === 'string' && words.length > 5, `${path}.${name}`);
          visit(member, `${path}.${name}`);
        }
      }
      const { items, definitions } = rest;
      if (isSchema(items)) visit(items, `${path}[]`);
      if (isSchema(definitions)) {
        for (const [name, one] of Object.entries(definitions)) if (isSchema(one)) visit(one, name);
      }
      assert.ok(path.includes('.') || typeof description === 'string', path);
    };
    for (const name of names) visit(readSchema(name), name);
  });

  it('say nothing in VS Code that the server says', () => {
    const odd: unknown[] = [
      {},
      [],
      null,
      7,
      'x',
      true,
      ...Object.values(records),
      { payload: 7, envelope: [] },
    ];
    for (const name of names) {
      const validate = new Ajv({ strict: false }).compile(lenient(readSchema(name)));
      for (const value of [...odd, ...fixtures.map(({ file }) => readJson(file))]) {
        assert.equal(validate(value), true, `${name}: ${JSON.stringify(value).slice(0, 80)}`);
      }
    }
  });

  it('still complete: values become examples, and members have a beginning', () => {
    const text = JSON.stringify(lenient(readSchema('agn-message')));
    assert.ok(text.includes('"examples":["critical","warning","info"]'));
    assert.ok(text.includes('"defaultSnippets"'));
    assert.ok(text.includes('"if":{"properties":{"type":{"const":"escalation"}}'));
    for (const word of ['"pattern"', '"enum":["low"', '"minItems"', '"minimum"']) {
      assert.ok(!text.includes(word), word);
    }
  });

  it('are contributed for the files they are of', () => {
    const manifest = readJson('package.json');
    assert.ok(isSchema(manifest) && isSchema(manifest['contributes']));
    const list = manifest['contributes']['jsonValidation'];
    assert.ok(Array.isArray(list));
    const urls = list.map((one: unknown) => (isSchema(one) ? one['url'] : undefined));
    assert.deepEqual(urls.toSorted(), names.map((name) => `./dist/schemas/${name}.schema.json`).toSorted());
  });
});
