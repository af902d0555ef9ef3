// Reads from a colour theme the colour of each kind of word. Themes are files of other
// extensions, so nothing in them is taken for granted. If the theme's file cannot be read, as in
// a remote window, the page makes its own colours from those that every theme gives to pages.

import { codeKinds, type CodeKind } from './kinds';

/** The colour of each kind, such as "#569cd6". */
export type ThemeColours = Readonly<Partial<Record<CodeKind, string>>>;

/** How many themes may include one another in a row. */
const includesMost = 5;

/** The largest file of a theme that is read, in characters. */
const themeMost = 1_000_000;

/** The names of each kind in the grammars of VS Code. The first one that a theme colours counts. */
const scopes: Readonly<Record<CodeKind, readonly string[]>> = {
  plain: [],
  comment: ['comment.line'],
  string: ['string.quoted.double'],
  number: ['constant.numeric.decimal'],
  keyword: ['keyword.control.flow'],
  storage: ['storage.type'],
  literal: ['constant.language'],
  function: ['entity.name.function'],
  type: ['entity.name.type.class', 'support.type'],
  tag: ['entity.name.tag'],
  attribute: ['entity.other.attribute-name'],
  property: ['support.type.property-name', 'variable.other.property'],
  variable: ['variable.other.readwrite'],
  meta: ['meta.preprocessor', 'keyword.control.directive'],
  heading: ['markup.heading', 'entity.name.section'],
  inserted: ['markup.inserted'],
  deleted: ['markup.deleted'],
};

interface Rule {
  readonly selector: string;
  readonly colour: string;
}

/** Reads a theme's colours. `read` returns a file's text, by its path relative to the first one. */
export async function themeColours(
  read: (path: string) => Promise<string>,
  path: string,
): Promise<ThemeColours> {
  const rules = await rulesOf(read, path, includesMost);
  const found: Partial<Record<CodeKind, string>> = {};
  for (const kind of codeKinds) {
    const colour = scopes[kind].map((scope) => colourOf(scope, rules)).find((one) => one !== undefined);
    if (colour !== undefined) found[kind] = colour;
  }
  return found;
}

/** Returns a theme's rules, after the rules of the theme that it includes. */
async function rulesOf(
  read: (path: string) => Promise<string>,
  path: string,
  includes: number,
): Promise<readonly Rule[]> {
  const text = await read(path);
  const theme = text.length > themeMost ? undefined : parseLenient(text);
  if (typeof theme !== 'object' || theme === null) return [];
  const include = 'include' in theme && typeof theme.include === 'string' ? theme.include : undefined;
  const base =
    include === undefined || includes === 0
      ? []
      : await rulesOf(read, path.replace(/[^/]*$/, '') + include, includes - 1);
  const own = 'tokenColors' in theme && Array.isArray(theme.tokenColors) ? theme.tokenColors : [];
  return [...base, ...own.flatMap(ruleOf)];
}

function ruleOf(value: unknown): readonly Rule[] {
  if (typeof value !== 'object' || value === null || !('settings' in value) || !('scope' in value)) return [];
  const { scope, settings } = value;
  if (typeof settings !== 'object' || settings === null || !('foreground' in settings)) return [];
  const colour = settings.foreground;
  if (typeof colour !== 'string' || !/^#[0-9a-f]{3,8}$/i.test(colour)) return [];
  const list: readonly unknown[] = Array.isArray(scope) ? scope : [scope];
  return list
    .flatMap((one) => (typeof one === 'string' ? one.split(',') : []))
    .map((selector) => ({ selector: selector.trim(), colour }));
}

/** Returns the colour of the rule with the longest selector for a scope, the last of equally long ones. */
function colourOf(scope: string, rules: readonly Rule[]): string | undefined {
  let best: Rule | undefined;
  for (const rule of rules) {
    if (`${scope}.`.startsWith(`${rule.selector}.`) && rule.selector.length >= (best?.selector.length ?? 1))
      best = rule;
  }
  return best?.colour;
}

/** Parses JSON with comments and trailing commas. Returns undefined for anything else. */
function parseLenient(text: string): unknown {
  const strict = text
    .replace(/^\ufeff/, '')
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, '$1')
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, '$1');
  try {
    return JSON.parse(strict);
  } catch {
    return undefined;
  }
}
