// What strangers wrote, made safe for a notification.

/** Control characters and characters that reverse the reading direction. The server shows them the same way. */
const unseen = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/**
 * Returns a stranger's words as one short line without links. A notification
 * would turn `[text](command:…)` into a link that runs a command.
 */
export function noticeText(text: string, max = 160): string {
  const line = text
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/\](?=\()/g, '] ')
    .replace(
      unseen,
      (character) => `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}⟩`,
    );
  return line.length <= max ? line : `${line.slice(0, max - 1).trimEnd()}…`;
}
