// What can be measured of a page: contrast of its texts, size of its targets, what goes over
// an edge, and how high rows are. WCAG 2.2: 1.4.3 and 2.5.8.

import assert from 'node:assert/strict';

/** Fails with what is too pale, too small or cut off in a part of a frame; returns the heights of folded rows. */
export async function measured(frame, what, part = 'main') {
  const { low, small, over, heights } = await frame.evaluate(measure, part);
  assert.deepEqual(low, {}, `${what}: texts with a contrast below 4.5`);
  assert.deepEqual(small, {}, `${what}: targets below 24 px`);
  assert.deepEqual(over, {}, `${what}: wider than the view, in px`);
  return heights;
}

/** Runs in the page. */
function measure(part) {
  const root = document.querySelector(part);
  const found = { low: {}, small: {}, over: {}, heights: [] };
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true });
  canvas.canvas.width = canvas.canvas.height = 1;
  const colourOf = (text) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data;
    return [red, green, blue, alpha / 255];
  };
  const upon = (a, b) => [0, 1, 2].map((i) => a[i] * a[3] + b[i] * (1 - a[3])).concat(1);
  const light = (colour) => {
    const [red, green, blue] = colour
      .slice(0, 3)
      .map((value) => value / 255)
      .map((value) => (value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4));
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  const inEditor = document.querySelector('main#thread, main#task, main#doctor, main.editor') !== null;
  const variable = inEditor ? '--vscode-editor-background' : '--vscode-sideBar-background';
  const ground = colourOf(
    window.getComputedStyle(document.documentElement).getPropertyValue(variable) || '#000',
  );
  const behind = (element) => {
    const stack = [];
    for (let at = element; at !== null; at = at.parentElement) {
      const colour = colourOf(window.getComputedStyle(at).backgroundColor);
      if (colour[3] > 0) stack.push(colour);
      if (colour[3] === 1) break;
    }
    return stack.reverse().reduce((below, colour) => upon(colour, below), ground);
  };
  const opacityOf = (element) => {
    let all = 1;
    for (let at = element; at !== null; at = at.parentElement)
      all *= Number(window.getComputedStyle(at).opacity);
    return all;
  };
  const dead = (element) => element.closest('[aria-disabled="true"], :disabled, [hidden]') !== null;
  const texts = document.createTreeWalker(root, window.NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { data, parentElement: element } = texts.currentNode;
    if (data.trim() === '' || element.closest('script, style, .sr') !== null || dead(element)) continue;
    const { width, height } = element.getBoundingClientRect();
    // A button that shows only under the pointer is measured there.
    if (width <= 1 || height <= 1 || opacityOf(element) < 0.05) continue;
    const below = behind(element);
    const colour = colourOf(window.getComputedStyle(element).color);
    colour[3] *= opacityOf(element);
    const [a, b] = [light(upon(colour, below)), light(below)];
    const ratio = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    if (ratio < 4.5) found.low[data.trim().slice(0, 40)] = ratio.toFixed(2);
  }
  const named = (element) => (element.ariaLabel ?? element.textContent).trim().slice(0, 60);
  for (const button of root.querySelectorAll('button:not(.link), summary, [role="button"]')) {
    const { width, height } = button.getBoundingClientRect();
    if (width > 1 && (width < 23.9 || height < 23.9)) found.small[named(button)] = `${width}x${height}`;
  }
  const { clientWidth, scrollWidth } = document.documentElement;
  if (scrollWidth > clientWidth) found.over.page = scrollWidth - clientWidth;
  for (const element of root.querySelectorAll('*')) {
    // These are cut on purpose, and a block of code scrolls.
    if (element.closest('.sr, .what, .who, pre, [hidden]') !== null) continue;
    const { width, right } = element.getBoundingClientRect();
    if (width > 1 && right > clientWidth + 0.5)
      found.over[`${element.tagName}.${element.className} ${named(element)}`] = Math.round(
        right - clientWidth,
      );
  }
  const folded = root.querySelectorAll('li.row:not(.open) > :first-child');
  found.heights = [...new Set([...folded].map((one) => Math.round(one.getBoundingClientRect().height)))];
  return found;
}
