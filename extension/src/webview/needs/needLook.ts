// The look of a row of "Needs You", open, closed or ended.

import { fill } from '../../fill';
import type { Ending } from '../../needs/outcomes';
import type { NeedAct, NeedRow, Tone } from '../../needs/row';
import { sentenceOf } from '../../needs/rows';
import { waitedWords } from '../../when';
import { drawing, element, span } from '../dom';
import type { RowLook } from '../list/listHost';
import { whatElement, whoElement } from '../list/listRow';
import { sinceElement } from '../times';
import { takeBack, type NeedsPage } from './needMore';

export function needLook(row: NeedRow, ending: Ending | undefined, open: boolean, page: NeedsPage): RowLook {
  const { locale, words } = page;
  const icon = drawing(ending?.icon ?? row.icon);
  const content = ending !== undefined && !open ? ending.words : open ? row.open : row.what;
  const tags = [
    ...(row.draft ? [{ text: words.draft, keep: true }] : []),
    ...(ending !== undefined ? [] : open ? row.openTags : row.tags),
  ];
  const over = ending !== undefined && ending.failed !== true;
  const undo = over && !open && ending.undo !== undefined ? takeBack(page, row.key, ending.undo) : undefined;
  return {
    class: `${toneClass(ending?.tone ?? row.tone)}${over ? ' over' : ''}`,
    head: [
      icon,
      whoElement(row.who, row.where),
      over ? span('', 'since') : sinceElement(row.time, locale),
      whatElement(content, row.code && !open && ending === undefined, tags),
    ],
    tools: undo && element('span', { class: 'undo' }, undo),
    label: () => sentence(row, ending, page),
    moreLabel: fill(words.part, row.who),
    context: menuContext(row),
  };
}

function sentence(row: NeedRow, ending: Ending | undefined, { locale, words }: NeedsPage): string {
  if (ending !== undefined) return sentenceOf([row.sentence, ending.words]);
  const waited = waitedWords(Date.now() - row.time, locale);
  const since = fill(row.section === 'unanswered' ? words.ago : words.waiting, waited);
  return sentenceOf([row.sentence, row.draft ? words.draft : '', since]);
}

/** Returns the facts that set which lines the menu of a row has. */
function menuContext({ acts, key, request }: NeedRow): Readonly<Record<string, string | boolean>> {
  const can = (act: NeedAct): boolean => acts.includes(act);
  return {
    ...{ webviewSection: 'need', preventDefaultContextMenuItems: true, needKey: key },
    ...{ needCommand: can('copy'), needRules: (request?.rules ?? []).length > 0, needThread: can('open') },
    ...{ needTerminal: can('terminal'), needSnooze: can('snooze'), needDismiss: can('done') },
  };
}

/** Returns the class of a tone. The class "asks" belongs to a thread's requests. */
function toneClass(tone: Tone): string {
  return tone === 'asks' ? 'ask' : tone;
}
