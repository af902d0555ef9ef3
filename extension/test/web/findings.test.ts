import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it } from 'node:test';
import { problemsOf, type Problem } from '../../src/web/findings';
import { deskOf, fixture, inRepository, Workspace } from './setup';

async function check(
  path: string,
  data: Uint8Array,
  workspace = new Workspace(),
  history: readonly Uint8Array[] = [],
): Promise<readonly Problem[] | undefined> {
  const desk = await deskOf(workspace);
  return problemsOf(desk, { path, data, others: () => Promise.resolve(history) });
}

function textOf(data: Uint8Array, { start, end }: Problem): string {
  return new TextDecoder().decode(data.subarray(start, end));
}

describe('problems of task messages', () => {
  for (const name of readdirSync(inRepository('testdata/agn/invalid'))) {
    it(name, async () => {
      const data = fixture(`agn/invalid/${name}`);
      const history = ['01-task_dispatch', '02-task_result', '03-review_request'].map((each) =>
        fixture(`agn/amp-chain/${each}.json`),
      );
      const found = (await check(`0/anywhere/${name}`, data, undefined, history)) ?? [];
      const rule = name.slice(0, name.indexOf('-'));
      const faults = found.filter(({ level }) => level === 'fault');
      // "E-required" is a member that the envelope lacks, whatever its rule's number.
      const wanted = /\d$/.test(rule)
        ? (each: Problem) => each.rule === rule
        : (each: Problem) => each.rule.startsWith(rule);
      assert.ok(found.some(wanted), JSON.stringify(found));
      for (const problem of faults) {
        assert.ok(problem.start < problem.end && problem.end <= data.length);
        assert.doesNotMatch(textOf(data, problem), /\n/);
      }
    });
  }

  it('underline the value', async () => {
    const data = fixture('agn/invalid/E2-version.json');
    const [problem] = (await check('0/a.json', data)) ?? [];
    assert.ok(problem);
    assert.match(textOf(data, problem), /^"[^"]*"$/);
    assert.match(problem.page, /^agn\.md/);
  });

  it('say nothing of a sound one', async () => {
    const data = fixture('agn/amp-chain/01-task_dispatch.json');
    assert.deepEqual(
      (await check('0/.ssot/a.json', data))?.filter(({ level }) => level === 'fault'),
      [],
    );
  });
});

describe('problems of other files', () => {
  const folder = '0/.agent/threads/x';
  const thread = (name: string): Workspace =>
    new Workspace()
      .add(`${folder}/thread.json`, fixture(`atsf/foreign/${name}/thread.json`))
      .add(`${folder}/messages.jsonl`, fixture(`atsf/foreign/${name}/messages.jsonl`));

  it("a thread's two files, each with its own", async () => {
    const workspace = thread('major-2');
    const found = await check(
      `${folder}/thread.json`,
      fixture('atsf/foreign/major-2/thread.json'),
      workspace,
    );
    assert.ok(
      found?.some(({ level, message }) => level === 'fault' && message.includes('later major version')),
    );
    const log = fixture('atsf/foreign/asset-escape/messages.jsonl');
    const escaped = await check(`${folder}/messages.jsonl`, log, thread('asset-escape'));
    const problem = escaped?.find(({ level }) => level === 'fault');
    assert.ok(problem);
    assert.match(textOf(log, problem), /\.\./, JSON.stringify(escaped));
  });

  it('a thread.json that does not say what its messages do', async () => {
    const data = new TextEncoder().encode(
      fixture('atsf/foreign/unknown-fields/thread.json')
        .toString()
        .replace(/"messageCount": ?\d+/, '"messageCount": 99'),
    );
    const found = await check(`${folder}/thread.json`, data, thread('unknown-fields'));
    const problem = found?.find((each) => textOf(data, each) === '99');
    assert.ok(problem, JSON.stringify(found));
  });

  it('a config.json', async () => {
    const data = new TextEncoder().encode(
      '{"specVersion":"1.1","hooks":{"afterCreateWorktree":{"symlinks":[{"source":"../../x","target":"y"}]}},"token":"x"}',
    );
    const found = await check('0/.agent/config.json', data);
    assert.ok(found !== undefined && found.length > 0);
    const broken = new TextEncoder().encode('{"specVersion":');
    const [problem] = (await check('0/.agent/config.json', broken)) ?? [];
    assert.equal(problem?.level, 'fault');
  });

  it('a log of SAMP, by line', async () => {
    const data = new TextEncoder().encode(
      `${fixture('samp/store-spaced/log-bob.jsonl').toString()}{"no":"record"}\n`,
    );
    const found = await check('0/mail/log-bob.jsonl', data);
    const last = found?.at(-1);
    assert.ok(last);
    assert.equal(last.level, 'fault');
    assert.ok(new TextDecoder().decode(data.subarray(last.start)).startsWith('{"no"'));
  });

  it('signed mail, by content alone', async () => {
    const data = new TextEncoder().encode(
      fixture('amp/inbox/01-plain.json').toString().replace('"normal"', '"loud"'),
    );
    const found = (await check('0/letter.json', data)) ?? [];
    const problem = found.find((each) => textOf(data, each) === '"loud"');
    assert.equal(problem?.level, 'fault');
    assert.equal(problem.page, 'amp.md');
  });

  it('no other file', async () => {
    for (const text of ['', '{}', '[]', '{"name":"x","version":"1.0.0"}', 'no json', '\u0000', '{"a":'])
      assert.equal(await check('0/package.json', new TextEncoder().encode(text)), undefined, text);
  });
});
