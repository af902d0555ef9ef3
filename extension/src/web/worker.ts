// The program of the worker in which the core runs: it answers calls until it
// is ended.

import { serve } from '@signalbox/core';

serve(self);
