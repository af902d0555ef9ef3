// One question of a form: its options, and an answer in the user's own words.

import { join } from '../../fill';
import { noChoice, type Choice } from '../../request/request';
import type { RequestWords } from '../../request/requestWords';
import type { RequestQuestion } from '../../protocol';
import { element, span } from '../dom';

/** Makes the fields of a question. `changed` is called with every change. */
export function questionField(
  { header = '', text, options = [], multiple, closed }: RequestQuestion,
  index: number,
  kept: Choice = noChoice,
  words: RequestWords,
  changed: () => void,
): { readonly root: HTMLElement; readonly choice: Choice } {
  const type = multiple === true ? 'checkbox' : 'radio';
  const box = (checked: boolean): HTMLInputElement => {
    const made = element('input', { attributes: { type, name: `question-${index}` } });
    made.checked = checked;
    made.addEventListener('change', changed);
    return made;
  };
  const boxes = options.map((_, option) => box(kept.options.includes(option)));
  const labels = options.map(({ label, description = '' }, option) =>
    element(
      'label',
      { class: 'choice' },
      boxes[option],
      span(label, 'name'),
      description === '' ? undefined : span(description, 'quiet'),
    ),
  );
  const own = box(kept.own);
  const input = element('input', {
    attributes: { type: 'text', 'aria-label': words.own, placeholder: words.own },
  });
  input.value = kept.text;
  input.addEventListener('input', () => {
    own.checked = input.value.trim() !== '';
    changed();
  });
  own.setAttribute('aria-label', words.own);
  own.addEventListener('change', () => {
    if (own.checked) input.focus();
  });
  const written = element('div', { class: 'choice' }, own, input);
  written.hidden = closed === true;
  const root = element(
    'fieldset',
    { class: 'question' },
    element('legend', { text: join([header, text], ': ') }),
    ...labels,
    written,
  );
  return {
    root,
    get choice() {
      const chosen = boxes.flatMap((one, option) => (one.checked ? [option] : []));
      return { options: chosen, text: input.value, own: closed !== true && own.checked };
    },
  };
}
