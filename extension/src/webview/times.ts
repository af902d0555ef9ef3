// Times in the page: the time since then, with the exact time as a tooltip.

import { fill } from '../fill';
import { age, exactTime, hourMinute, relativeTime } from '../when';
import { element } from './dom';

export function agoWords(time: number, locale: string): string {
  return relativeTime(time, Date.now(), locale);
}

export function timeElement(time: number, locale: string): HTMLElement {
  return element('time', {
    text: agoWords(time, locale),
    title: exactTime(time, locale),
    attributes: { 'data-time': String(time) },
  });
}

/** Makes the time since a moment, in the fewest letters ("12m"). */
export function sinceElement(time: number, locale: string): HTMLElement {
  return element('time', {
    class: 'since',
    text: age(time, Date.now(), locale),
    title: exactTime(time, locale),
    attributes: { 'data-since': String(time) },
  });
}

/** Makes a countdown of seconds until a time. Screen readers skip it. */
export function countdown(until: number, words: string, over = (): void => undefined): HTMLElement {
  const root = element('span', { class: 'left', attributes: { 'aria-hidden': 'true' } });
  const count = (): void => {
    const left = Math.max(0, Math.ceil((until - Date.now()) / 1_000));
    root.textContent = fill(words, String(left));
    setTimeout(left > 0 ? count : over, 250);
  };
  count();
  return root;
}

/** Makes the hour and minute of a time. The day is shown in a separate line. */
export function clockElement(time: number, locale: string): HTMLElement {
  return element('time', { text: hourMinute(time, locale), title: exactTime(time, locale) });
}
