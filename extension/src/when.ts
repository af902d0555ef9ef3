// Times, durations and sizes in the reader's language.

const steps = [
  ['minute', 60_000],
  ['hour', 3_600_000],
  ['day', 86_400_000],
] as const;

/**
 * Returns how long ago a time was ("5 min. ago"), or its date if it is a week or more ago.
 * A time in the future is also shown as a date, since a sender's clock may be wrong. A
 * number that is out of a Date's range is returned as it is.
 */
export function relativeTime(time: number, now: number, locale: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  const age = now - time;
  if (age >= 7 * 86_400_000 || age < -60_000) return calendarDate(date, new Date(now), locale);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' });
  if (age < 60_000) return format.format(0, 'second');
  const [unit, size] = stepOf(age);
  return format.format(-Math.floor(age / size), unit);
}

/** Returns the largest unit that fits into a duration. The smallest unit is a minute. */
function stepOf(millis: number): (typeof steps)[number] {
  return steps.findLast(([, size]) => millis >= size) ?? steps[0];
}

function calendarDate(date: Date, now: Date, locale: string): string {
  const sameYear = date.getFullYear() === now.getFullYear();
  return new Intl.DateTimeFormat(locale, {
    month: 'short',
    day: 'numeric',
    ...(sameYear ? {} : { year: 'numeric' }),
  }).format(date);
}

/**
 * Returns how long ago a time was in the fewest letters ("5m"), or its date if it is a week
 * or more ago or in the future.
 */
export function age(time: number, now: number, locale: string): string {
  const millis = now - time;
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  if (millis >= 7 * 86_400_000 || millis < -60_000) return calendarDate(date, new Date(now), locale);
  if (millis < 60_000) return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(0, 'second');
  const [unit, size] = stepOf(millis);
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'narrow' });
  return format.format(Math.floor(millis / size));
}

/** Returns how long something has waited, in words: "12 minutes". */
export function waitedWords(millis: number, locale: string): string {
  const [unit, size] = millis < 60_000 ? (['second', 1_000] as const) : stepOf(millis);
  const format = new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'long' });
  return format.format(Math.max(0, Math.floor(millis / size)));
}

/** Returns a time's hour and minute ("14:02"), preceded by its date unless it is today. */
export function clockTime(time: number, now: number, locale: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  const today = date.toDateString() === new Date(now).toDateString();
  return new Intl.DateTimeFormat(locale, {
    ...(today ? {} : { month: 'short', day: 'numeric' }),
    hour: 'numeric',
    minute: '2-digit',
  }).format(date);
}

/** Returns the hour and minute of a time ("14:02"). */
export function hourMinute(time: number, locale: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  return new Intl.DateTimeFormat(locale, { hour: 'numeric', minute: '2-digit' }).format(date);
}

/** Returns the day of a time: "today", "yesterday" or "Tuesday, November 17". */
export function dayWords(time: number, now: number, locale: string): string {
  const [date, today] = [new Date(time), new Date(now)];
  if (Number.isNaN(date.getTime())) return String(time);
  const midnight = (of: Date): number => new Date(of).setHours(0, 0, 0, 0);
  const days = Math.round((midnight(today) - midnight(date)) / 86_400_000);
  if (days === 0 || days === 1) {
    return new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(-days, 'day');
  }
  return new Intl.DateTimeFormat(locale, {
    weekday: 'long',
    month: 'long',
    day: 'numeric',
    ...(date.getFullYear() === today.getFullYear() ? {} : { year: 'numeric' }),
  }).format(date);
}

/** A time more days ahead than this is shown as a date. */
const daysToCount = 60;

/** Returns how far ahead a time is ("in 2 days"). */
export function untilWords(time: number, now: number, locale: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  const ahead = time - now;
  if (ahead > daysToCount * 86_400_000) return calendarDate(date, new Date(now), locale);
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'always' });
  const [unit, size] = stepOf(ahead);
  return format.format(Math.max(1, Math.round(ahead / size)), unit);
}

/** Returns a time in UTC to the second, or the number itself if it is out of a Date's range. */
export function isoTime(time: number): string {
  const date = new Date(time);
  return Number.isNaN(date.getTime()) ? String(time) : date.toISOString().replace(/\.\d+Z$/, 'Z');
}

const byteUnits = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;

/** Returns a file's size: "812 byte", "12.4 kB". */
export function sizeWords(bytes: number, locale: string): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1_000 && unit < byteUnits.length - 1) {
    value /= 1_000;
    unit++;
  }
  const style = {
    style: 'unit',
    unit: byteUnits[unit] ?? 'byte',
    unitDisplay: unit === 0 ? 'long' : 'short',
  } as const;
  return new Intl.NumberFormat(locale, { ...style, maximumFractionDigits: value < 10 ? 1 : 0 }).format(value);
}

/** Returns the exact local time, to the second, with the time zone. */
export function exactTime(time: number, locale: string): string {
  const date = new Date(time);
  if (Number.isNaN(date.getTime())) return String(time);
  return new Intl.DateTimeFormat(locale, { dateStyle: 'full', timeStyle: 'long' }).format(date);
}

/** Returns a duration in one or two units: "340 ms", "2.4 sec", "3 min 12 sec". */
export function durationWords(millis: number, locale: string): string {
  const show = (value: number, unit: string): string =>
    new Intl.NumberFormat(locale, { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 1 })
      .format(value)
      .trim();
  if (millis < 1_000) return show(Math.round(millis), 'millisecond');
  if (millis < 59_950) return show(millis / 1_000, 'second');
  const seconds = Math.round(millis / 1_000);
  if (seconds < 3_600) return units(show(Math.floor(seconds / 60), 'minute'), seconds % 60, 'second', show);
  const minutes = Math.round(seconds / 60);
  return units(show(Math.floor(minutes / 60), 'hour'), minutes % 60, 'minute', show);
}

function units(
  first: string,
  rest: number,
  unit: string,
  show: (value: number, unit: string) => string,
): string {
  return rest === 0 ? first : `${first} ${show(rest, unit)}`;
}
