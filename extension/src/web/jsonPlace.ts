// Finds the value of a member in a JSON text by the core's name for it
// ("stats.messageCount", "content[0].text"). The text may be anything, even no JSON.

/** Returns the offset of a member's value in the object or array at `start`, or undefined. */
export function valueAt(bytes: Uint8Array, start: number, field: string): number | undefined {
  const names = field.split(/[.[\]]+/).filter((name) => name !== '');
  if (names.length === 0 || names.length > 32) return undefined;
  let at: number | undefined = start;
  for (const name of names) {
    at = at === undefined ? undefined : childAt(bytes, at, name);
  }
  return at;
}

const [quote, backslash, colon, comma] = [0x22, 0x5c, 0x3a, 0x2c];
const [openObject, openList, closeObject, closeList] = [0x7b, 0x5b, 0x7d, 0x5d];

/** Returns the offset of one member or element. */
function childAt(bytes: Uint8Array, start: number, name: string): number | undefined {
  const isList = bytes[start] === openList;
  if (!isList && bytes[start] !== openObject) return undefined;
  let at = space(bytes, start + 1);
  for (let index = 0; at < bytes.length; index++) {
    let found = isList && String(index) === name;
    if (!isList) {
      const end = skipped(bytes, at);
      if (bytes[at] !== quote || end === undefined) return undefined;
      found = textOf(bytes.subarray(at, end)) === name;
      at = space(bytes, end);
      if (bytes[at] !== colon) return undefined;
      at = space(bytes, at + 1);
    }
    if (found) return at;
    const end = skipped(bytes, at);
    if (end === undefined) return undefined;
    at = space(bytes, end);
    if (bytes[at] !== comma) return undefined;
    at = space(bytes, at + 1);
  }
  return undefined;
}

function textOf(quoted: Uint8Array): string | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(quoted));
    return typeof value === 'string' ? value : undefined;
  } catch {
    return undefined;
  }
}

function space(bytes: Uint8Array, at: number): number {
  while (at < bytes.length && [0x20, 0x09, 0x0a, 0x0d].includes(bytes[at] ?? 0)) at++;
  return at;
}

/** Returns the end of the value at an offset. It only looks at brackets and quotes. */
function skipped(bytes: Uint8Array, start: number): number | undefined {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) {
      for (at++; at < bytes.length && bytes[at] !== quote; at++) if (bytes[at] === backslash) at++;
      if (depth === 0) return at < bytes.length ? at + 1 : undefined;
    } else if (byte === openObject || byte === openList) depth++;
    else if (byte === closeObject || byte === closeList) {
      if (depth === 0) return at > start ? at : undefined;
      if (--depth === 0) return at + 1;
    } else if (byte === comma && depth === 0) return at > start ? at : undefined;
  }
  return undefined;
}
