/**
 * `npm test` draws the same cases in every run, so that it says the same of the same code; `SOAK=1` draws new ones, and
 * a failing property prints its seed.
 */
import fc from 'fast-check';

if (process.env['SOAK'] !== '1') fc.configureGlobal({ seed: 20_261_130 });
