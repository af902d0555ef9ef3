// Divides code into words of different kinds, so that the page does not have to. The code is a
// stranger's: its length is bounded, and the results are lengths and numbers, no markup.

import { codeKinds, isColourable, type CodeKind, type Runs } from './kinds';

/** How many divided pieces of code are kept, since rows are built again when they change. */
const keptMost = 100;

/** Divides code. The grammars are loaded with the first code that needs them. */
export class Colouring {
  readonly #kept = new Map<string, Runs>();

  /** Returns the coloured pieces of a code, or undefined if it gets no colours. */
  async runs(code: string, language: string): Promise<Runs | undefined> {
    if (!isColourable(code) || language === '') return undefined;
    const key = `${language}\n${code}`;
    const kept = this.#kept.get(key);
    if (kept !== undefined) return kept;
    const { highlighted } = await import('./grammars');
    // Lets other work of the extension run between two pieces of code.
    await new Promise<void>((done) => setImmediate(done));
    const html = highlighted(code, language);
    const runs = html === undefined ? undefined : runsOf(html, !withoutCalls.has(language));
    if (runs === undefined || lengthOf(runs) !== code.length) return undefined;
    this.#kept.set(key, runs);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > keptMost && oldest !== undefined) this.#kept.delete(oldest);
    return runs;
  }
}

const markup = /<span class="([^"]*)">|<\/span>|&(amp|lt|gt|quot|#x27);|[^<&]+/g;
const entities: Readonly<Record<string, number>> = { amp: 1, lt: 1, gt: 1, quot: 1, '#x27': 1 };

/** Languages in which a word before a bracket is not a function call. */
const withoutCalls: ReadonlySet<string> = new Set(
  'bash css diff dockerfile html ini json makefile markdown md sh shell sql toml xml yaml yml zsh'.split(' '),
);

const calls = /[\p{L}_$][\p{L}\p{N}_$]*(?=\()/gu;

/** Reads the library's HTML: text, five entities and spans. Most of its grammars do not mark calls. */
export function runsOf(html: string, withCalls = false): Runs {
  const runs: [number, number][] = [];
  const open: number[] = [0];
  for (const [piece, classes, entity] of html.matchAll(markup)) {
    if (classes !== undefined) {
      open.push(numberOf(classes, open.at(-1) ?? 0));
      continue;
    }
    if (piece === '</span>') {
      open.pop();
      continue;
    }
    const length = entity === undefined ? piece.length : (entities[entity] ?? 0);
    let kind = open.at(-1) ?? 0;
    if (kind === keyword) kind = codeKinds.indexOf(kindOfKeyword(piece));
    if (kind !== 0 || !withCalls || entity !== undefined) {
      add(runs, length, kind);
      continue;
    }
    let at = 0;
    for (const { 0: name, index } of piece.matchAll(calls)) {
      add(runs, index - at, 0);
      add(runs, name.length, codeKinds.indexOf('function'));
      at = index + name.length;
    }
    add(runs, length - at, 0);
  }
  return runs;
}

function add(runs: [number, number][], length: number, kind: number): void {
  const last = runs.at(-1);
  if (last?.[1] === kind) last[0] += length;
  else if (length > 0) runs.push([length, kind]);
}

function lengthOf(runs: Runs): number {
  return runs.reduce((sum, [length]) => sum + length, 0);
}

const keyword = codeKinds.indexOf('keyword');

/** The keywords of declarations. Themes colour them like types, unlike those of control flow. */
const storage: ReadonlySet<string> = new Set(
  (
    'abstract async class const def enum export extends final fn func function impl implements interface ' +
    'let mod mut namespace new package private protected pub public readonly static struct trait type val var void'
  ).split(' '),
);

const literals: ReadonlySet<string> = new Set('false nil none null true undefined'.split(' '));

function kindOfKeyword(word: string): CodeKind {
  if (literals.has(word.toLowerCase())) return 'literal';
  return storage.has(word) ? 'storage' : 'keyword';
}

const kindsOfScopes: Readonly<Record<string, CodeKind>> = {
  comment: 'comment',
  quote: 'comment',
  doctag: 'comment',
  string: 'string',
  regexp: 'string',
  link: 'string',
  code: 'string',
  number: 'number',
  keyword: 'keyword',
  operator: 'plain',
  punctuation: 'plain',
  subst: 'plain',
  literal: 'literal',
  symbol: 'literal',
  bullet: 'literal',
  built_in: 'type',
  type: 'type',
  'title class_': 'type',
  title: 'function',
  tag: 'tag',
  name: 'tag',
  'selector-tag': 'tag',
  'selector-class': 'tag',
  'selector-id': 'tag',
  'selector-attr': 'attribute',
  'selector-pseudo': 'attribute',
  attr: 'property',
  attribute: 'property',
  property: 'property',
  variable: 'variable',
  'template-variable': 'variable',
  meta: 'meta',
  section: 'heading',
  addition: 'inserted',
  deletion: 'deleted',
};

/** Returns the number of the kind that a span's classes name, or that of the span around it. */
function numberOf(classes: string, around: number): number {
  const scope = classes.replace(/^hljs-/, '');
  const [first = '', second = ''] = scope.split(' ');
  // An attribute of an element, or the key of an object.
  if (first === 'attr' && codeKinds[around] === 'tag') return codeKinds.indexOf('attribute');
  const kind = kindsOfScopes[`${first} ${second}`] ?? kindsOfScopes[first];
  return kind === undefined ? around : codeKinds.indexOf(kind);
}
