import { runCrashes } from '../crash/crash-run.js';
import type { SoakPart } from './part.js';

const KILLS = 200;
/** A home lives through so many kills; then another seed begins with an empty one. */
const KILLS_IN_A_HOME = 20;

/** Kills under load, in turns with and without answers that are shown as they grow. */
export const crashes: SoakPart = {
  name: 'crashes',
  run: async ({ seed, share, say, ...places }) => {
    const problems: string[] = [];
    const homes = Math.ceil((KILLS * share) / KILLS_IN_A_HOME);
    let letters = 0;
    for (let home = 0; home < homes; home += 1) {
      const homeSeed = seed + home;
      const isStreaming = homeSeed % 2 === 1;
      const report = await runCrashes({
        ...places,
        seed: homeSeed,
        kills: KILLS_IN_A_HOME,
        isStreaming,
        keepHome: true,
      });
      letters += report.letters;
      problems.push(...report.problems.map((problem) => `seed ${homeSeed}: ${problem}`));
      say(`seed ${homeSeed}, streaming ${isStreaming ? 'on' : 'off'}: ${report.problems.length} problems`);
    }
    return { summary: `${homes * KILLS_IN_A_HOME} kills, ${letters} messages`, problems };
  },
};
