// Until when a thread can be snoozed: the times that are offered, and those
// that a user types. All are of the user's own clock and zone.

/** A time that is offered. */
export interface SnoozeTime {
  readonly kind: 'later' | 'tomorrow' | 'nextWeek';
  /** Unix milliseconds. */
  readonly time: number;
}

const laterHours = 3;
const morning = 9;

/** The times that are offered now. Late in the evening nothing is later today. */
export function snoozeTimes(now: number): readonly SnoozeTime[] {
  const later = new Date(now);
  later.setMinutes(later.getMinutes() < 30 ? 30 : 60, 0, 0);
  later.setHours(later.getHours() + laterHours);
  const today = later.getDate() === new Date(now).getDate();
  const offered: SnoozeTime[] = today ? [{ kind: 'later', time: later.getTime() }] : [];
  // Days are counted in the calendar: with a change of the clocks not all have 24 hours.
  const toMonday = (8 - new Date(now).getDay()) % 7 || 7;
  // On a Sunday the next Monday is tomorrow, which is offered already.
  const days = toMonday === 1 ? 8 : toMonday;
  return [
    ...offered,
    { kind: 'tomorrow', time: morningIn(now, 1) },
    { kind: 'nextWeek', time: morningIn(now, days) },
  ];
}

function morningIn(now: number, days: number): number {
  const date = new Date(now);
  date.setDate(date.getDate() + days);
  date.setHours(morning, 0, 0, 0);
  return date.getTime();
}

/** As far ahead as the server takes it. */
const longestMillis = 10 * 366 * 24 * 3_600_000;

/** What is wrong with a time that was typed. */
export type TimeFault = 'form' | 'past' | 'far';

/** The time in "2026-03-02" or "2026-03-02 14:30"; without an hour in the morning. */
export function readTime(text: string, now: number): number | TimeFault {
  const parts = /^\s*(\d{4})-(\d{1,2})-(\d{1,2})(?:[ T](\d{1,2}):(\d{2}))?\s*$/.exec(text);
  if (parts === null) return 'form';
  const [year = 0, month = 0, day = 0] = parts.slice(1, 4).map(Number);
  const hour = parts[4] === undefined ? morning : Number(parts[4]);
  const minute = Number(parts[5] ?? '0');
  const date = new Date(year, month - 1, day, hour, minute);
  // A 31st of June would be the 1st of July.
  if (date.getMonth() !== month - 1 || date.getDate() !== day || hour > 23 || minute > 59) return 'form';
  if (date.getTime() <= now) return 'past';
  return date.getTime() > now + longestMillis ? 'far' : date.getTime();
}

/** The day after a time, as it is typed. */
export function exampleTime(now: number): string {
  const date = new Date(morningIn(now, 1));
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} 09:00`;
}
