// Converts the core's offsets, in bytes of UTF-8, to the editor's positions, in
// UTF-16 code units.

/** A position as the editor counts. */
export interface Position {
  readonly line: number;
  readonly character: number;
}

/** The line starts of a text, for many look-ups. */
export class Lines {
  readonly #bytes: Uint8Array;
  readonly #starts: number[] = [0];

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      // The editor's line ends: \n, \r\n and \r.
      if (byte === 0x0a || (byte === 0x0d && bytes[at + 1] !== 0x0a)) this.#starts.push(at + 1);
    }
  }

  /** Returns the position of an offset, which may be beyond the end or inside a character. */
  position(offset: number): Position {
    let at = Math.max(0, Math.min(offset, this.#bytes.length));
    while (((this.#bytes[at] ?? 0) & 0xc0) === 0x80) at--;
    let low = 0;
    let high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((this.#starts[middle] ?? 0) <= at) low = middle;
      else high = middle - 1;
    }
    const before = this.#bytes.subarray(this.#starts[low], at);
    return { line: low, character: decoder.decode(before).length };
  }
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * Returns the end of the JSON value or word at an offset, on the same line. Of an
 * object or array only the bracket counts: underlining a whole file helps nobody.
 */
export function valueEnd(bytes: Uint8Array, offset: number): number {
  const first = bytes[offset];
  if (first === undefined) return offset;
  if (first === 0x7b || first === 0x5b) return offset + 1;
  if (first === 0x22) {
    for (let at = offset + 1; at < bytes.length && bytes[at] !== 0x0a; at++) {
      if (bytes[at] === 0x5c) at++;
      else if (bytes[at] === 0x22) return at + 1;
    }
  }
  let end = offset;
  while (end < bytes.length && !',]}: \t\r\n'.includes(String.fromCharCode(bytes[end] ?? 0))) end++;
  if (end > offset) return end;
  do end++;
  while (((bytes[end] ?? 0) & 0xc0) === 0x80);
  return end;
}

/** Converts an offset in bytes of UTF-8 to one in UTF-16 code units. */
export function unitAt(text: string, bytes: number): number {
  let at = 0;
  let passed = 0;
  for (const character of text) {
    if (passed >= bytes) break;
    const code = character.codePointAt(0) ?? 0;
    // Half a character becomes U+FFFD in UTF-8.
    passed += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    at += character.length;
  }
  return at;
}
