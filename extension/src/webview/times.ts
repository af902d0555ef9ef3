// Times in the page: how long ago, with the exact time as a tooltip.

import { exactTime, relativeTime } from '../when';
import { element } from './dom';

export function timeElement(time: number, locale: string): HTMLElement {
  return element('time', {
    text: relativeTime(time, Date.now(), locale),
    title: exactTime(time, locale),
    attributes: { 'data-time': String(time) },
  });
}
