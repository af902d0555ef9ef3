// The texts of a search's list: a hit's lines with the words marked, and how far the search
// has come.

import { join, type Translate } from '../fill';
import type { SearchHit, SearchPage } from '../protocol';

/** The most characters before the first word found, so that the word is still in sight. */
const leadMost = 60;
const beforeLeast = 12;

/** Returns the found line, with the words in ‹ ›, between the lines before and after it. */
export function hitLines(hit: Pick<SearchHit, 'before' | 'snippet' | 'after' | 'marks'>): string {
  const { before = '', snippet, after = '', marks } = hit;
  let line = '';
  let done = 0;
  for (const [start, length] of marks) {
    line += `${snippet.slice(done, start)}‹${snippet.slice(start, start + length)}›`;
    done = start + length;
  }
  const room = Math.max(beforeLeast, leadMost - (marks[0]?.[0] ?? 0));
  return join([lastOf(before, room), line + snippet.slice(done), after], ' ⏎ ');
}

/** Returns the end of a text. */
function lastOf(text: string, most: number): string {
  const characters = Array.from(text);
  return characters.length <= most
    ? text
    : `…${characters
        .slice(1 - most)
        .join('')
        .trimStart()}`;
}

/** Returns the title of the list while the search goes on. */
export function searchingTitle(t: Translate, found: number): string {
  return found === 0 ? t('Searching…') : t('Searching… {0} found', String(found));
}

/** Returns the title of the list after a search: how many were found, and what was left out. */
export function foundTitle(
  t: Translate,
  found: number,
  { nextCursor, complete, problems }: Pick<SearchPage, 'nextCursor' | 'complete' | 'problems'>,
): string {
  const more = nextCursor !== undefined;
  const parts = [
    found === 0 ? t('Nothing found') : found === 1 ? t('1 message') : t('{0} messages', String(found)),
    more && complete ? t('there are older ones') : '',
    more && !complete ? t('not everything was searched') : '',
    more || complete ? '' : t('some mail or sessions are still being read'),
    ...problems.map(({ message }) => t('left out: {0}', message)),
  ];
  return join(parts, ' · ');
}
