// Mailboxes of signed mail (amp/0.1) for the tests: made, written to and read
// with the command line, as the other agents on the machine do it.

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const domain = 'default.aimaestro.local';

export class Mailboxes {
  #bin;
  #home;

  /** bin: the program. dir: an empty folder for the mailboxes and the home of those who use the command line. */
  constructor(bin, dir) {
    this.#bin = bin;
    this.root = join(dir, 'mailboxes');
    this.#home = join(dir, 'agents-home');
    mkdirSync(this.#home, { recursive: true });
  }

  /** Makes an identity; returns its address. */
  init(name, address = `${name}@${domain}`) {
    this.#run(['amp', 'init', '--amp', this.root, '--name', name, '--address', address]);
    return address;
  }

  /** Sends signed mail as an agent does; returns the message's id. */
  send(from, to, subject, body, ...more) {
    const out = this.as(from, 'send', to, '--subject', subject, '--message', body, ...more);
    return /msg_\w+/.exec(out)[0];
  }

  /** Runs a command of the command line as an agent; returns what it prints. */
  as(name, command, ...args) {
    return this.#run(['amp', command, '--amp', this.root, '--as', name, ...args]);
  }

  /** Holds a message file against the public key of its sender, with nothing else known. */
  verify(file, sender) {
    const keys = join(this.#home, 'keys');
    mkdirSync(keys, { recursive: true });
    const key = readFileSync(join(this.root, 'agents', sender, 'keys/public.pem'));
    writeFileSync(join(keys, `${sender}.public.pem`), key);
    const run = this.#spawn(['amp', 'verify', '--keys', keys, file]);
    return { ok: run.status === 0, text: run.stdout.trim() };
  }

  /** Gives an agent another key, as somebody does who takes over its mailbox. */
  replaceKey(name) {
    const other = `${this.root}-other`;
    rmSync(other, { recursive: true, force: true });
    const address = JSON.parse(readFileSync(join(this.root, 'agents', name, 'config.json'), 'utf8')).agent
      .address;
    this.#run(['amp', 'init', '--amp', other, '--name', name, '--address', address]);
    for (const key of ['private.pem', 'public.pem']) {
      const file = join('agents', name, 'keys', key);
      writeFileSync(join(this.root, file), readFileSync(join(other, file)));
    }
  }

  /** The message files in a box of an agent that hold a text, with their path. */
  find(name, box, text) {
    const dir = join(this.root, 'agents', name, 'messages', box);
    return readdirSync(dir, { recursive: true })
      .filter((file) => file.endsWith('.json'))
      .map((file) => join(dir, file))
      .filter((file) => readFileSync(file, 'utf8').includes(text));
  }

  /** The file of an attachment in an agent's mailbox, by its name. */
  attached(name, file) {
    const dir = join(this.root, 'agents', name, 'attachments');
    const found = readdirSync(dir, { recursive: true }).filter((path) => path.endsWith(`/${file}`));
    return join(dir, found[0]);
  }

  #run(args) {
    return execFileSync(this.#bin, args, {
      env: this.#env(),
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  #spawn(args) {
    return spawnSync(this.#bin, args, { env: this.#env(), encoding: 'utf8' });
  }

  #env() {
    const kept = Object.entries(process.env).filter(([key]) => !/^(AMP_|CLAUDE_|XDG_|SIGNALBOX_)/.test(key));
    return { ...Object.fromEntries(kept), HOME: this.#home };
  }
}

/** The bytes that are signed, made from a message file by the rules alone: with the payload's own text. */
export function signedParts(text) {
  const { envelope } = JSON.parse(text);
  const payload = /^ {2}"payload": (\{.*\}),?$/m.exec(text)[1];
  return { envelope, payload };
}
