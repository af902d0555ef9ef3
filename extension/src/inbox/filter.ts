// The inbox's filter and order: what the user chose, what the server is asked
// for, and how the view says it.

import { fill, join } from '../fill';
import type { Group, InboxFilter, Sort } from '../protocol';
import type { FilterWords } from './words';

/** The place that is shown. A thread is in one of the first three; suspicious records are kept apart. */
export type Place = 'inbox' | 'archived' | 'snoozed' | 'suspicious';

/** What the user chose. A thread is shown if it matches all of it. */
export interface Filter {
  readonly place: Place;
  readonly unread: boolean;
  readonly needsReply: boolean;
  readonly mine: boolean;
  /** A format, or empty for all. */
  readonly protocol: string;
  /** A Group's id, or empty for all. */
  readonly group: string;
}

/** The filter that shows the whole inbox. */
export const noFilter: Filter = {
  place: 'inbox',
  unread: false,
  needsReply: false,
  mine: false,
  protocol: '',
  group: '',
};

export function isFiltered(filter: Filter): boolean {
  const { place, unread, needsReply, mine, protocol, group } = filter;
  return place !== 'inbox' || unread || needsReply || mine || protocol !== '' || group !== '';
}

/** Returns the filter with one condition switched on, or off if it was on. */
export function toggled(
  filter: Filter,
  what: 'unread' | 'needsReply' | 'mine' | Exclude<Place, 'inbox'>,
): Filter {
  if (what === 'mine') return { ...filter, mine: !filter.mine };
  // What was put away needs no reply.
  if (what === 'needsReply')
    return { ...filter, place: 'inbox', needsReply: filter.place !== 'inbox' || !filter.needsReply };
  // A suspicious record is neither read nor unread.
  if (what === 'unread') {
    const place = filter.place === 'suspicious' ? 'inbox' : filter.place;
    return { ...filter, place, unread: place !== filter.place || !filter.unread };
  }
  const place = filter.place === what ? 'inbox' : what;
  return {
    ...filter,
    place,
    unread: place !== 'suspicious' && filter.unread,
    needsReply: place === 'inbox' && filter.needsReply,
  };
}

export function serverFilter({ place, unread, needsReply, mine, protocol, group }: Filter): InboxFilter {
  return {
    ...(place === 'inbox' ? {} : { [place]: true }),
    ...(unread ? { unread } : {}),
    ...(needsReply ? { needsReply } : {}),
    ...(mine ? { mine } : {}),
    ...(protocol === '' ? {} : { protocol }),
    ...(group === '' ? {} : { group }),
  };
}

export const sorts: readonly Sort[] = ['newest', 'oldest', 'unread', 'sender'];

/** Returns the order that an earlier session saved, which may have been another version. */
export function readSort(value: unknown): Sort {
  return sorts.find((sort) => sort === value) ?? 'newest';
}

/** Returns the filter in words, and the order unless it is the usual one: "Unread · SAMP · sorted by sender". */
export function filterText(filter: Filter, sort: Sort, groups: readonly Group[], words: FilterWords): string {
  const group = groups.find(({ id }) => id === filter.group);
  const parts = [
    filter.place === 'inbox' ? '' : words.places[filter.place],
    filter.unread ? words.unread : '',
    filter.needsReply ? words.needsReply : '',
    filter.mine ? words.mine : '',
    filter.protocol === '' ? '' : (words.protocols[filter.protocol] ?? filter.protocol),
    filter.group === '' ? '' : (group?.title ?? filter.group),
    sort === 'newest' ? '' : fill(words.sorted, words.sorts[sort]),
  ];
  return join(parts, ' · ');
}
