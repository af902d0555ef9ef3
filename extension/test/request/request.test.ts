// What an agent asks for, in words; what may be allowed; and the answers to a form.

import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { fill } from '../../src/fill';
import { answersOf, canAllow, outcomeWords, requestTitle, type Choice } from '../../src/request/request';
import { requestWords } from '../../src/request/requestWords';
import { keyOf } from '../../src/needs/model';
import type { RequestAnswer, RequestQuestion } from '../../src/protocol';
import { agent, need, request } from '../needSamples';

const words = requestWords(fill);

describe('a request', () => {
  for (const [title, change] of [
    ['coder wants to run', {}],
    ['coder wants to use Write', { tool: 'Write', input: [{ name: 'file_path', text: '/x' }] }],
    ['coder asks you', { kind: 'question' }],
    ['coder shows a plan', { kind: 'plan' }],
  ] as const)
    it(`is called ${title}`, () => assert.equal(requestTitle(request('r', change), 'coder', words), title));

  it('is allowed only where all of it is shown and the program takes a yes', () => {
    assert.ok(canAllow(request('r')));
    assert.ok(canAllow(request('r', { marked: true, long: 0, cut: false, denyOnly: false })));
    for (const change of [{ cut: true }, { long: 1 }, { denyOnly: true }])
      assert.ok(!canAllow(request('r', change)), JSON.stringify(change));
  });

  it('has a row of its own: an agent may wait for two things', () => {
    const key = (id: string, hash: string): string =>
      keyOf(need({ agent: agent('a'), request: request(id, { hash }) }));
    assert.notEqual(key('1', 'x'), key('2', 'x'));
    assert.notEqual(key('1', 'x'), key('1', 'y'), 'one that asks something else is another row');
    assert.equal(keyOf(need({ agent: agent('a') })), 'agent a');
  });
});

describe('the answers to a form', () => {
  const options = [{ label: 'MIT' }, { label: 'BSD' }];
  const pick: RequestQuestion = { text: 'Which?', options };
  const several: RequestQuestion = { text: 'Which?', options, multiple: true };
  const choice = (chosen: readonly number[], text = '', own = text !== ''): Choice => ({
    options: chosen,
    text,
    own,
  });
  const cases: readonly (readonly [
    string,
    readonly RequestQuestion[],
    readonly Choice[],
    readonly RequestAnswer[] | undefined,
  ])[] = [
    ['nothing chosen', [pick], [], undefined],
    ['an option', [pick], [choice([1])], [{ options: [1] }]],
    ['a text', [pick], [choice([], ' none ')], [{ text: 'none' }]],
    ['a text that does not count', [pick], [choice([0], 'draft', false)], [{ options: [0] }]],
    ['blanks', [pick], [choice([], '  ', true)], undefined],
    ['blanks beside an option', [several], [choice([0], '', true)], undefined],
    ['two of one', [pick], [choice([0], 'and')], undefined],
    ['several, and a text', [several], [choice([0, 1], 'too')], [{ options: [0, 1], text: 'too' }]],
    ['half a form', [pick, several], [choice([0])], undefined],
    ['a whole form', [pick, several], [choice([0]), choice([1])], [{ options: [0] }, { options: [1] }]],
  ];
  for (const [name, questions, choices, answers] of cases)
    it(name, () => assert.deepEqual(answersOf(questions, choices), answers));
});

describe('what became of a request', () => {
  for (const [kind, answer, text] of [
    ['permission', { allow: true }, 'Allowed here'],
    ['permission', { allow: true, rules: [0] }, 'Allowed here, and from now on'],
    ['permission', { allow: false }, 'Denied here'],
    ['permission', { allow: false, reason: 'use make' }, 'Denied here; it was told why'],
    ['question', { allow: true, answers: [] }, 'Answered here'],
    ['question', { allow: false }, 'Declined here'],
    ['plan', { allow: true, mode: 'acceptEdits' }, 'Plan approved here'],
    ['plan', { allow: false, reason: 'smaller steps' }, 'Plan sent back here; it was told why'],
  ] as const)
    it(text, () => assert.equal(outcomeWords(fill, kind, answer), text));
});
