// The entry point of the Worker.

import { serve, type ToWorker } from './worker';

const take = serve((message) => self.postMessage(message));
self.onmessage = ({ data }: MessageEvent<ToWorker>) => take(data);
