// Runs axe-core in a view's frame: WCAG 2.2 A and AA and axe's best practices.

import assert from 'node:assert/strict';
import axe from 'axe-core';

/**
 * Rules about whole pages. A view is only a part: the editor has the page's title,
 * language, landmarks and first heading.
 */
const ofPages = ['document-title', 'html-has-lang', 'landmark-one-main', 'page-has-heading-one', 'region'];

/** Fails with every violation in the frame: rule, why, and the elements. ground: editor or sideBar, which is behind it. */
export async function accessible(frame, what, ground = 'editor') {
  await frame.evaluate(axe.source);
  const { violations, passes } = await frame.evaluate(
    ([off, part]) => {
      // A view has no background: axe cannot see the editor's behind it.
      const { style } = document.documentElement;
      style.background = `var(--vscode-${part}-background)`;
      return globalThis.axe.run(document, {
        resultTypes: ['violations', 'passes'],
        runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
        rules: Object.fromEntries(off.map((rule) => [rule, { enabled: false }])),
      });
    },
    [ofPages, ground],
  );
  const found = violations.flatMap(({ id, nodes }) =>
    nodes.map(
      ({ html, failureSummary }) =>
        `${id}: ${failureSummary.replaceAll('\n', ' ')}\n    ${html.slice(0, 200)}`,
    ),
  );
  assert.deepEqual(found, [], `${what} is not accessible`);
  // A frame that shows nothing would break no rule.
  assert.ok(passes.length >= 10, `${what}: only ${passes.length} rules had something to look at`);
}
