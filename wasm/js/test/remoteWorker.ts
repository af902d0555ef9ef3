// The worker of a Remote in a page.
import { serve } from '../dist/index.js';

serve(self);
