// What typed letters mean before a text field has the focus: those that are keys of a
// list are known by the commands they run, and Enter is a new line.

/** A key binding as package.json states it. */
export interface Binding {
  readonly key?: unknown;
  readonly command?: unknown;
  readonly args?: unknown;
}

/** The command and argument by which a key of a list is known. */
const named = (command: string, argument: unknown): string => JSON.stringify([command, argument]);

/**
 * Returns a function that tells which letter ran a command with an argument. Keys of a
 * list call commands with an argument that nothing else uses.
 */
export function letterKeys(
  bindings: readonly Binding[],
): (command: string, argument: unknown) => string | undefined {
  const letters = new Map<string, string>();
  for (const { key, command, args } of bindings) {
    if (typeof key !== 'string' || key.length !== 1) continue;
    const last: Binding | undefined = hasCommands(args) ? args.commands.at(-1) : { command, args };
    if (typeof last?.command === 'string' && typeof last.args === 'string')
      letters.set(named(last.command, last.args), key);
  }
  return (command, argument) =>
    typeof argument === 'string' ? letters.get(named(command, argument)) : undefined;
}

function hasCommands(args: unknown): args is { readonly commands: readonly Binding[] } {
  return typeof args === 'object' && args !== null && 'commands' in args && Array.isArray(args.commands);
}

/** Returns a text with line breaks at these places, in ascending order. Those after its end are at its end. */
export function withBreaks(text: string, places: readonly number[]): string {
  const ends = [...places, text.length];
  return ends.map((end, n) => text.slice(n === 0 ? 0 : ends[n - 1], end)).join('\n');
}
