// The meaning of typed letters before a text field has the focus. Letters that are keys of a
// list are identified by the commands that they run, and Enter is a line break.

/** A key binding in package.json. */
export interface Binding {
  readonly key?: unknown;
  readonly command?: unknown;
  readonly args?: unknown;
}

/** Returns a map key for the command and argument that identify a key of a list. */
const commandKey = (command: string, argument: unknown): string => JSON.stringify([command, argument]);

/**
 * Returns a function that returns the letter that ran a command with an argument. Keys of a
 * list run commands with an argument that nothing else uses.
 */
export function letterKeys(
  bindings: readonly Binding[],
): (command: string, argument: unknown) => string | undefined {
  const letters = new Map<string, string>();
  for (const { key, command, args } of bindings) {
    if (typeof key !== 'string' || key.length !== 1) continue;
    const last: Binding | undefined = hasCommands(args) ? args.commands.at(-1) : { command, args };
    if (typeof last?.command === 'string' && typeof last.args === 'string')
      letters.set(commandKey(last.command, last.args), key);
  }
  return (command, argument) =>
    typeof argument === 'string' ? letters.get(commandKey(command, argument)) : undefined;
}

function hasCommands(args: unknown): args is { readonly commands: readonly Binding[] } {
  return typeof args === 'object' && args !== null && 'commands' in args && Array.isArray(args.commands);
}

/** Returns a text with line breaks at these ascending places. Places past its end mean its end. */
export function withBreaks(text: string, places: readonly number[]): string {
  const ends = [...places, text.length];
  return ends.map((end, n) => text.slice(n === 0 ? 0 : ends[n - 1], end)).join('\n');
}
