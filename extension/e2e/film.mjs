// Pictures for the documentation: stills, and short animations of a few frames.

import { execFileSync } from 'node:child_process';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const images = resolve(dirname(fileURLToPath(import.meta.url)), '../../docs/images');

/** How long a frame is shown, in hundredths of a second. */
export const glance = 50;
export const look = 200;

/** The window as it is, for the documentation. */
export async function still(page, name, away = true) {
  if (away) await page.mouse.move(900, 780);
  const path = join(images, `${name}.png`);
  await page.screenshot({ path, animations: 'disabled' });
  convert(path, '-strip', `PNG8:${path}`);
  console.log(path);
}

/** A short animation of the window. */
export class Film {
  #page;
  #dir;
  #frames = [];

  /** dir: for the frames. */
  constructor(page, dir) {
    this.#page = page;
    this.#dir = dir;
  }

  async frame(hundredths) {
    const path = join(this.#dir, `frame-${String(this.#frames.length)}.png`);
    await this.#page.screenshot({ path, animations: 'disabled' });
    this.#frames.push('-delay', String(hundredths), path);
  }

  /** Writes it. Without dithering: its dots only make the file larger. */
  write(name) {
    const file = join(images, `${name}.gif`);
    convert('-loop', '0', ...this.#frames, '+dither', '-colors', '128', '-layers', 'Optimize', file);
    console.log(file);
  }
}

function convert(...args) {
  execFileSync(process.env.CONVERT ?? 'convert', args);
}
