// The inbox's filter and order: as the user chose them, as the server gets them, and in the
// view's words.

import { fill, join } from '../fill';
import type { Group, InboxFilter, Sort } from '../protocol';
import type { FilterWords } from './words';

/** The place that is shown. A thread is in exactly one place. */
export type Place = 'inbox' | 'archived' | 'snoozed';

/** A state that threads may be in. */
export type State = 'unread' | 'needsReply' | 'mine' | 'suspicious';

/** The filter that the user chose. A thread is shown if it matches all of it. */
export interface Filter {
  readonly place: Place;
  readonly unread: boolean;
  readonly needsReply: boolean;
  readonly mine: boolean;
  /** Shows messages that may be forged, which are in no place and neither read nor unread. */
  readonly suspicious: boolean;
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
  suspicious: false,
  protocol: '',
  group: '',
};

export function isFiltered(filter: Filter): boolean {
  const { place, unread, needsReply, mine, suspicious, protocol, group } = filter;
  return place !== 'inbox' || unread || needsReply || mine || suspicious || protocol !== '' || group !== '';
}

/** Returns the filter with one condition toggled, and conditions that conflict with it off. */
export function toggled(filter: Filter, what: State | Exclude<Place, 'inbox'>): Filter {
  switch (what) {
    case 'mine':
      return { ...filter, mine: !filter.mine };
    case 'suspicious': {
      const suspicious = !filter.suspicious;
      return suspicious
        ? { ...filter, suspicious, place: 'inbox', unread: false, needsReply: false }
        : { ...filter, suspicious };
    }
    case 'unread':
      return { ...filter, suspicious: false, unread: !filter.unread };
    // Threads that were put away need no reply.
    case 'needsReply': {
      const needsReply = filter.place !== 'inbox' || !filter.needsReply;
      return { ...filter, suspicious: false, place: 'inbox', needsReply };
    }
    case 'archived':
    case 'snoozed': {
      const place = filter.place === what ? 'inbox' : what;
      return { ...filter, suspicious: false, place, needsReply: place === 'inbox' && filter.needsReply };
    }
  }
}

export function serverFilter(filter: Filter): InboxFilter {
  const { place, unread, needsReply, mine, suspicious, protocol, group } = filter;
  return {
    ...(place === 'inbox' ? {} : { [place]: true }),
    ...(unread ? { unread } : {}),
    ...(needsReply ? { needsReply } : {}),
    ...(mine ? { mine } : {}),
    ...(suspicious ? { suspicious } : {}),
    ...(protocol === '' ? {} : { protocol }),
    ...(group === '' ? {} : { group }),
  };
}

export const sorts: readonly Sort[] = ['newest', 'oldest', 'unread', 'sender'];

/** Returns the saved order. Another version of the extension may have saved it. */
export function readSort(value: unknown): Sort {
  return sorts.find((sort) => sort === value) ?? 'newest';
}

/** Returns the filter and, unless it is the default, the order: "Unread · sorted by sender". */
export function filterText(filter: Filter, sort: Sort, groups: readonly Group[], words: FilterWords): string {
  const group = groups.find(({ id }) => id === filter.group);
  const parts = [
    filter.place === 'inbox' ? '' : words.places[filter.place],
    filter.unread ? words.unread : '',
    filter.needsReply ? words.needsReply : '',
    filter.mine ? words.mine : '',
    filter.suspicious ? words.suspicious : '',
    filter.protocol === '' ? '' : (words.protocols[filter.protocol] ?? filter.protocol),
    filter.group === '' ? '' : (group?.title ?? filter.group),
    sort === 'newest' ? '' : fill(words.sorted, words.sorts[sort]),
  ];
  return join(parts, ' · ');
}
