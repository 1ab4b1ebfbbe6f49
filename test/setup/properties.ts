/**
 * `npm test` draws the same cases in every run, so that it says the same of the same code; the soak draws others, and a
 * failing property prints its seed.
 */
import fc from 'fast-check';
import { propertySeed } from './property-runs.js';

fc.configureGlobal({ seed: propertySeed(20_261_130) });
