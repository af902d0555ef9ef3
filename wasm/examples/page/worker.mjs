import { load } from '../../js/dist/index.js';

const loading = load(new URL('../../../bin/signalbox.wasm', import.meta.url));

onmessage = async ({ data: { me, files } }) => {
  try {
    const found = files.filter(({ name }) => /^log-.*\.jsonl$/.test(name));
    const bytes = async (file) => new Uint8Array(await file.arrayBuffer());
    const logs = await Promise.all(found.map(async (f) => ({ name: f.name, data: await bytes(f) })));
    const { messages } = (await loading).samp.inbox({ me, mode: 'all', logs });
    postMessage({ texts: messages.map(({ id, from, body }) => `${id} ${from}: ${body}`) });
  } catch (error) {
    postMessage({ error: String(error) });
  }
};
