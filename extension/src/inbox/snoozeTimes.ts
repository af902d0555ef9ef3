// The times until which a thread can be snoozed, offered or typed by the user. All are in the
// user's own time zone.

export interface SnoozeTime {
  readonly kind: 'later' | 'tomorrow' | 'nextWeek';
  /** Unix milliseconds. */
  readonly time: number;
}

const laterHours = 3;
const morning = 9;

/** Returns the offered times. "Later today" is left out late in the evening. */
export function snoozeTimes(now: number): readonly SnoozeTime[] {
  const later = new Date(now);
  later.setMinutes(later.getMinutes() < 30 ? 30 : 60, 0, 0);
  later.setHours(later.getHours() + laterHours);
  const today = later.getDate() === new Date(now).getDate();
  const offered: SnoozeTime[] = today ? [{ kind: 'later', time: later.getTime() }] : [];
  // Days are calendar days: with daylight saving not all of them have 24 hours.
  const toMonday = (8 - new Date(now).getDay()) % 7 || 7;
  // On a Sunday, Monday is tomorrow, which is already offered.
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

/** The server's limit. */
const longestMillis = 10 * 366 * 24 * 3_600_000;

/** Why a typed time cannot be used. */
export type TimeFault = 'form' | 'past' | 'far';

/** Reads "2026-03-02 14:30", or "2026-03-02", which means 9:00 on that day. */
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

/** Returns the morning after a time, in the form that a user types. */
export function exampleTime(now: number): string {
  const date = new Date(morningIn(now, 1));
  const two = (value: number): string => String(value).padStart(2, '0');
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} 09:00`;
}
