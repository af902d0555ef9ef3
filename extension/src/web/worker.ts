// The worker's program: the core answers calls until the worker is ended.

import { serve } from '@signalbox/core';

serve(self);
