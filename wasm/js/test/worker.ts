// Runs a replay in a worker of a page. The page sends the compiled module.
import { load } from '../dist/index.js';
import { replay } from './replay.js';

onmessage = async (event: MessageEvent<{ module: WebAssembly.Module; transcript: string }>) => {
  try {
    const { module, transcript } = event.data;
    const response = await fetch(transcript);
    if (response.body === null) throw new Error('the transcript has no body');
    postMessage(await replay(await load(module), chunks(response.body)));
  } catch (error) {
    postMessage(String(error));
  }
};

/** Not every browser can iterate over a stream. */
async function* chunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return;
    yield value;
  }
}
