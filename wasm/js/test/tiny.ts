// Modules of a few bytes with the ABI's exports, which answer what a test wants.

/** What the functions of a tiny module return. */
export interface Answers {
  readonly version: number;
  /** The result of call. */
  readonly result?: bigint;
  /** What stands in the memory from byte 32 on. */
  readonly data?: string;
  readonly imports?: readonly [module: string, name: string];
  readonly without?: string;
  /** Code of functions, in the place of the code that returns these answers. */
  readonly code?: {
    readonly init?: readonly number[];
    readonly in?: readonly number[];
    readonly call?: readonly number[];
  };
}

/** Makes such a module. */
export function tiny({
  version,
  result = 0n,
  data = '',
  imports,
  without,
  code = {},
}: Answers): Uint8Array<ArrayBuffer> {
  const names = ['_initialize', 'in', 'call', 'abi'].filter((name) => name !== without);
  const first = imports === undefined ? 0 : 1;
  const [i32, i64, end] = [0x7f, 0x7e, 0x0b];
  const types = [
    [0x60, 0, 0],
    [0x60, 1, i32, 1, i32],
    [0x60, 3, i32, i32, i32, 1, i64],
    [0x60, 0, 1, i32],
  ];
  const bodies = [
    [...(code.init ?? []), end],
    [...(code.in ?? [0x41, 16]), end],
    [...(code.call ?? [0x42, ...leb(result)]), end],
    [0x41, ...leb(BigInt(version)), end],
  ];
  const exported = names.map((name) => [
    ...text(name),
    0,
    first + ['_initialize', 'in', 'call', 'abi'].indexOf(name),
  ]);
  return Uint8Array.from([
    ...[0, ...Buffer.from('asm'), 1, 0, 0, 0],
    ...section(1, types),
    ...(imports === undefined ? [] : section(2, [[...imports.flatMap(text), 0, 0]])),
    ...section(3, [[0], [1], [2], [3]]),
    ...section(5, [[0, 1]]),
    ...section(7, [...exported, ...(without === 'memory' ? [] : [[...text('memory'), 2, 0]])]),
    ...section(
      10,
      bodies.map((body) => [body.length + 1, 0, ...body]),
    ),
    ...section(11, [[0, 0x41, 32, end, ...text(data)]]),
  ]);
}

function section(id: number, items: readonly (readonly number[])[]): number[] {
  const content = [items.length, ...items.flat()];
  return [id, ...unsigned(content.length), ...content];
}

function text(s: string): number[] {
  const bytes = [...Buffer.from(s)];
  return [...unsigned(bytes.length), ...bytes];
}

function unsigned(value: number): number[] {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >> 7)];
}

/** A signed number in LEB128. */
function leb(value: bigint): number[] {
  const low = Number(value & 0x7fn);
  const rest = value >> 7n;
  const last = (rest === 0n && low < 0x40) || (rest === -1n && low >= 0x40);
  return last ? [low] : [low | 0x80, ...leb(rest)];
}
