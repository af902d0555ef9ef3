// Writes the times in a preview in the reader's language. The server writes them for every editor
// as "2026-11-27 14:02 CET", in the time zone of this machine.

import { clockTime } from '../when';

const serverTime = / · (last )?(\d{4})-(\d\d)-(\d\d) (\d\d):(\d\d) [A-Z0-9+-]{1,6}(?!\w)/g;

const minute = 60_000;

/** Returns a preview with its times in the reader's language, without the one that is shown above it. */
export function withLocalTimes(preview: string, above: number, now: number, locale: string): string {
  return preview.replace(serverTime, (whole, last: string | undefined, ...parts: string[]) => {
    const [year, month, day, hour, minutes] = parts.slice(0, 5).map(Number);
    const time = new Date(year ?? 0, (month ?? 1) - 1, day, hour, minutes).getTime();
    if (Number.isNaN(time)) return whole;
    if (Math.floor(time / minute) === Math.floor(above / minute)) return '';
    return ` · ${last ?? ''}${clockTime(time, now, locale)}`;
  });
}
