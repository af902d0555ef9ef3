// The functions of WASI that Go's runtime imports, for a module without files,
// arguments or environment: a clock, random bytes, and what it prints before it
// dies. node:wasi is not used because it sometimes crashes, and does not exist in
// browsers.

const ok = 0;
/** errno of WASI: no such file descriptor. */
const badf = 8;
/** The most bytes that crypto.getRandomValues returns in one call. */
const randomAtOnce = 65536;
/** How much is kept of what the runtime prints when it dies: the reason, not the stacks below it. */
const mostPrinted = 512;

/** The guest's runtime ended itself. */
export class Exit extends Error {
  override readonly name = 'Exit';

  constructor(status: number) {
    super(`the runtime exited with status ${status}`);
  }
}

/** The imports of one instance. */
export class Wasi {
  #memory: WebAssembly.Memory | undefined;
  #printed = '';

  /** Sets the instance's memory, which exists only after its imports. */
  attach(memory: WebAssembly.Memory): void {
    this.#memory = memory;
  }

  /** The first line of what the runtime printed. */
  get firstLine(): string {
    return this.#printed.split('\n', 1)[0] ?? '';
  }

  /** The functions that the module imports. The ones for files say that there is none. */
  imports(): WebAssembly.ModuleImports {
    const none = (): number => badf;
    const nothing = (count: number, size: number): number => {
      const view = this.#view();
      view.setUint32(count >>> 0, 0, true);
      view.setUint32(size >>> 0, 0, true);
      return ok;
    };
    return {
      args_get: () => ok,
      args_sizes_get: nothing,
      environ_get: () => ok,
      environ_sizes_get: nothing,
      clock_time_get: (clock: number, _precision: bigint, into: number) => this.#clock(clock, into),
      random_get: (into: number, length: number) => this.#random(into, length),
      fd_write: (fd: number, list: number, count: number, written: number) =>
        this.#write(fd, list, count, written),
      poll_oneoff: (asked: number, events: number, count: number, happened: number) =>
        this.#poll(asked, events, count, happened),
      sched_yield: () => ok,
      proc_exit: (status: number) => {
        throw new Exit(status);
      },
      fd_close: none,
      fd_fdstat_get: none,
      fd_fdstat_set_flags: none,
      fd_prestat_get: none,
      fd_prestat_dir_name: none,
    };
  }

  /** Made again each time: growth of the memory detaches the buffer. */
  #view(): DataView {
    return new DataView(this.#buffer());
  }

  #buffer(): ArrayBuffer {
    if (this.#memory === undefined) throw new Error('the module ran before it had its memory');
    return this.#memory.buffer;
  }

  /** Clock 0 is the time of day, any other one runs evenly. */
  #clock(clock: number, into: number): number {
    const millis = clock === 0 ? Date.now() : performance.now();
    this.#view().setBigUint64(into >>> 0, BigInt(Math.round(millis * 1e6)), true);
    return ok;
  }

  #random(into: number, length: number): number {
    const bytes = new Uint8Array(this.#buffer(), into >>> 0, length >>> 0);
    for (let at = 0; at < bytes.length; at += randomAtOnce) {
      crypto.getRandomValues(bytes.subarray(at, at + randomAtOnce));
    }
    return ok;
  }

  #write(fd: number, list: number, count: number, written: number): number {
    if (fd !== 1 && fd !== 2) return badf;
    const view = this.#view();
    let total = 0;
    for (let i = 0; i < count >>> 0; i++) {
      const at = (list >>> 0) + 8 * i;
      const bytes = new Uint8Array(
        view.buffer as ArrayBuffer,
        view.getUint32(at, true),
        view.getUint32(at + 4, true),
      );
      total += bytes.length;
      this.#printed += new TextDecoder().decode(bytes.subarray(0, mostPrinted - this.#printed.length));
    }
    view.setUint32(written >>> 0, total, true);
    return ok;
  }

  /**
   * Says at once that everything has happened. There is no other thread to wait for,
   * a page must not be held up, and the runtime looks at the clock itself.
   */
  #poll(asked: number, events: number, count: number, happened: number): number {
    const view = this.#view();
    for (let i = 0; i < count >>> 0; i++) {
      const from = (asked >>> 0) + 48 * i;
      const to = (events >>> 0) + 32 * i;
      new Uint8Array(view.buffer, to, 32).fill(0);
      view.setBigUint64(to, view.getBigUint64(from, true), true);
      view.setUint8(to + 10, view.getUint8(from + 8));
    }
    view.setUint32(happened >>> 0, count, true);
    return ok;
  }
}
