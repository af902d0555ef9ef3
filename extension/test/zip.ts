// Reads the files of a VSIX, which is a zip file.

import { inflateRawSync } from 'node:zlib';

/** A file in an archive. */
export interface ZipEntry {
  /** Its permissions. */
  readonly mode: number;
  data(): Buffer;
}

/** Returns the files of an archive by name, read from the directory at its end. */
export function entriesOf(zip: Buffer): ReadonlyMap<string, ZipEntry> {
  const end = zip.lastIndexOf(Buffer.from([0x50, 0x4b, 5, 6]));
  const entries = new Map<string, ZipEntry>();
  let at = zip.readUInt32LE(end + 16);
  for (let left = zip.readUInt16LE(end + 10); left > 0; left--) {
    const [method, packed] = [zip.readUInt16LE(at + 10), zip.readUInt32LE(at + 20)];
    const [name, extra, comment] = [28, 30, 32].map((field) => zip.readUInt16LE(at + field));
    const mode = (zip.readUInt32LE(at + 38) >>> 16) & 0o777;
    const head = zip.readUInt32LE(at + 42);
    const start = head + 30 + zip.readUInt16LE(head + 26) + zip.readUInt16LE(head + 28);
    const data = (): Buffer => {
      const bytes = zip.subarray(start, start + packed);
      return method === 0 ? bytes : inflateRawSync(bytes);
    };
    entries.set(zip.toString('utf8', at + 46, at + 46 + (name ?? 0)), { mode, data });
    at += 46 + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return entries;
}
