// What is remembered about an agent that was set up and has not answered yet.

import type { MessageItem } from '../protocol';

/** The key of its thread, its program by command and title, and its name. */
export interface Started {
  readonly thread: string;
  readonly client: string;
  readonly title: string;
  readonly agent: string;
}

/** Reads a remembered value, which may be anything. */
export function readStart(value: unknown): Started | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  const { thread, client, title, agent } = value as Readonly<Record<string, unknown>>;
  const texts = [thread, client, title, agent];
  if (!texts.every((text) => typeof text === 'string')) return undefined;
  return { thread: String(thread), client: String(client), title: String(title), agent: String(agent) };
}

/** Reports whether somebody else has written in a thread. */
export function answered(messages: readonly Pick<MessageItem, 'mine'>[]): boolean {
  return messages.some(({ mine }) => !mine);
}
