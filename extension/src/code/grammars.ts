// The grammars of highlight.js that code blocks are coloured with. Only these are
// bundled: the whole library has 190.

import core from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const grammars = {
  ...{ bash, c, cpp, csharp, css, diff, dockerfile, go, ini, java, javascript, json, kotlin },
  ...{ makefile, markdown, php, python, ruby, rust, shell, sql, swift, typescript, xml, yaml },
};

for (const [name, grammar] of Object.entries(grammars)) core.registerLanguage(name, grammar);
// File endings and names that people write after a fence and highlight.js does not know.
core.registerAliases(['scss', 'less'], { languageName: 'css' });
core.registerAliases(['golang'], { languageName: 'go' });
core.registerAliases(['javascriptreact', 'mjs', 'cjs', 'jsx'], { languageName: 'javascript' });
core.registerAliases(['typescriptreact', 'mts', 'cts', 'tsx'], { languageName: 'typescript' });
core.registerAliases(['jsonc', 'json5', 'jsonl'], { languageName: 'json' });
core.registerAliases(['dotenv', 'env', 'properties'], { languageName: 'ini' });

/** Returns the code as the library's HTML, or undefined for a language without a grammar. */
export function highlighted(code: string, language: string): string | undefined {
  if (core.getLanguage(language) === undefined) return undefined;
  return core.highlight(code, { language, ignoreIllegals: true }).value;
}
