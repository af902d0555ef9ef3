// A Worker of Chromium, which runs the program as a browser does. Messages go through the page as
// text, and bytes in them as base64.

import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium } from 'playwright-core';
import type { FromWorker, ToWorker } from '../../src/browser/worker';
import type { Running } from './server';

/** What the page has, besides its own. */
interface Bridge {
  worker: { onmessage: unknown; postMessage(message: unknown): void };
  took(text: string): void;
}

export function chromiumWorker(program: string, took: (message: FromWorker) => void): Running {
  const started = open(program, (text) => took(unpacked(text) as FromWorker));
  const posting = { last: started as Promise<unknown> };
  return {
    post: (message: ToWorker) => {
      const text = packed(message);
      posting.last = Promise.all([started, posting.last]).then(([{ page }]) =>
        page.evaluate((text) => {
          const revive = (_: string, value: unknown): unknown =>
            typeof value === 'object' && value !== null && 'base64' in value
              ? Uint8Array.from(atob(String(value.base64)), (letter) => letter.charCodeAt(0))
              : value;
          (globalThis as unknown as Bridge).worker.postMessage(JSON.parse(text, revive));
        }, text),
      );
    },
    end: async () => (await started).close(),
  };
}

/** Starts the program in a page on loopback: what it uses is there in secure places alone. */
async function open(program: string, took: (text: string) => void) {
  const site = createServer((_, answer) =>
    answer.setHeader('content-type', 'text/html').end('<title>-</title>'),
  );
  site.listen(0, '127.0.0.1');
  await once(site, 'listening');
  const executablePath = process.env['SIGNALBOX_CHROMIUM'] ?? '/usr/bin/chromium';
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  await page.exposeFunction('took', took);
  await page.evaluate((program) => {
    const scope = globalThis as unknown as Bridge;
    const worker = new Worker(URL.createObjectURL(new Blob([program], { type: 'text/javascript' })));
    const bytes = (of: Uint8Array): string => {
      let text = '';
      for (let at = 0; at < of.length; at += 8_192)
        text += String.fromCharCode(...of.subarray(at, at + 8_192));
      return btoa(text);
    };
    worker.onmessage = ({ data }: { data: unknown }) =>
      scope.took(
        JSON.stringify(data, (_, value: unknown) =>
          value instanceof Uint8Array ? { base64: bytes(value) } : value,
        ),
      );
    worker.onerror = ({ message }: { message: string }) => {
      throw new Error(message);
    };
    scope.worker = worker;
  }, program);
  const close = async (): Promise<void> => {
    await browser.close();
    site.close();
  };
  return { page, close };
}

const packed = (message: unknown): string =>
  JSON.stringify(message, (_, value: unknown) =>
    value instanceof Uint8Array
      ? { base64: Buffer.from(value.buffer, value.byteOffset, value.length).toString('base64') }
      : value,
  );

const unpacked = (text: string): unknown =>
  JSON.parse(text, (_, value: unknown) =>
    typeof value === 'object' && value !== null && 'base64' in value
      ? new Uint8Array(Buffer.from(String(value.base64), 'base64'))
      : value,
  );
