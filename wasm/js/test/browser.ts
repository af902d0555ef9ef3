// A page in headless Chromium, and the server on a loopback address that it comes from.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join } from 'node:path';
import { chromium } from 'playwright-core';
import type { Browser, Page } from 'playwright-core';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.json': 'application/json',
  '.wasm': 'application/wasm',
};

/** A browser with a page. */
export interface Visit {
  readonly page: Page;
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Serves folders and files, by the beginnings of their paths, and opens a page
 * there. Nothing else of the machine is reachable.
 */
export async function visit(routes: Readonly<Record<string, string>>): Promise<Visit> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://x').pathname;
    const prefix = Object.keys(routes).find((p) => path === p || (p.endsWith('/') && path.startsWith(p)));
    const file = prefix === undefined ? undefined : join(routes[prefix] ?? '', path.slice(prefix.length));
    void send(file);

    async function send(name: string | undefined): Promise<void> {
      const size = name === undefined ? undefined : (await stat(name).catch(() => undefined))?.size;
      if (name === undefined || size === undefined) {
        response.writeHead(404).end();
        return;
      }
      response.writeHead(200, {
        'content-type': types[extname(name)] ?? 'application/octet-stream',
        'content-length': size,
      });
      createReadStream(name).pipe(response);
    }
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  let browser: Browser | undefined;
  const close = async (): Promise<void> => {
    await browser?.close();
    server.closeAllConnections();
    await new Promise((closed) => server.close(closed));
  };
  try {
    browser = await chromium.launch({
      executablePath: process.env['SIGNALBOX_CHROMIUM'] ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'],
    });
    const page = await browser.newPage();
    return { page, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close };
  } catch (error) {
    await close();
    throw error;
  }
}
