// Workers: they get the compiled module, and one that takes too long is ended.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { describe, it } from 'node:test';
import { Worker } from 'node:worker_threads';
import { open } from './setup.js';

/** Loads a core, says so, and compacts or answers, as asked. */
const program = `
  import { parentPort, workerData } from 'node:worker_threads';
  const { load } = await import(workerData.library);
  const core = await load(workerData.module);
  parentPort.on('message', (task) => {
    parentPort.postMessage('working');
    parentPort.postMessage(task.me === undefined ? core.samp.compact(task.data).after : core.samp.alias(task.me).log);
  });
  parentPort.postMessage('ready');
`;

async function start(module: WebAssembly.Module): Promise<Worker> {
  const library = new URL('../dist/index.js', import.meta.url).href;
  const code = new URL(`data:text/javascript,${encodeURIComponent(program)}`);
  const worker = new Worker(code, { workerData: { library, module } });
  assert.deepEqual(await once(worker, 'message'), ['ready']);
  return worker;
}

async function answer(worker: Worker): Promise<unknown> {
  for (;;) {
    const [value] = (await once(worker, 'message')) as [unknown];
    if (value !== 'working') return value;
  }
}

describe('workers', () => {
  it('have a core each of one compiled module', async () => {
    const { module } = await open();
    const workers = await Promise.all([start(module), start(module)]);
    const logs = await Promise.all(
      workers.map((worker, i) => {
        const answered = answer(worker);
        worker.postMessage({ me: `agent${i}` });
        return answered;
      }),
    );
    assert.deepEqual(logs, ['log-agent0.jsonl', 'log-agent1.jsonl']);
    await Promise.all(workers.map((worker) => worker.terminate()));
  });

  it('end when they take too long', async () => {
    const { module } = await open();
    const slow = await start(module);
    const line = `{"ts":1,"from":"a","to":"b","thread":"t","body":"${'x'.repeat(400)}"}\n`;
    const answers: unknown[] = [];
    slow.on('message', (value) => answers.push(value));
    slow.postMessage({ data: line.repeat(120_000) });
    await once(slow, 'message');
    await slow.terminate();
    assert.deepEqual(answers, ['working']);
    const next = await start(module);
    const answered = answer(next);
    next.postMessage({ me: 'alice' });
    assert.equal(await answered, 'log-alice.jsonl');
    await next.terminate();
  });
});
