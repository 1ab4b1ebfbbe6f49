import { runJobCrashes } from '../crash/job-crashes.js';
import type { SoakPart } from './part.js';

const KILLS = 120;
/** A home lives through so many kills; then another seed begins with an empty one. */
const KILLS_IN_A_HOME = 12;

/** Kills around the times at which jobs are due, while another process ticks too. */
export const jobCrashes: SoakPart = {
  name: 'jobs',
  run: async ({ seed, share, say, ...places }) => {
    const problems: string[] = [];
    const homes = Math.ceil((KILLS * share) / KILLS_IN_A_HOME);
    let runs = 0;
    let oneShots = 0;
    for (let home = 0; home < homes; home += 1) {
      const homeSeed = seed + home;
      const report = await runJobCrashes({ ...places, seed: homeSeed, kills: KILLS_IN_A_HOME });
      runs += report.runs;
      oneShots += report.oneShots;
      problems.push(...report.problems.map((problem) => `seed ${homeSeed}: ${problem}`));
      say(
        `seed ${homeSeed}: ${report.runs} runs, ${report.oneShots} one-shots, ${report.ticks} ticks beside, ${report.problems.length} problems`,
      );
    }
    const kills = homes * KILLS_IN_A_HOME;
    return { summary: `${kills} kills, ${runs} runs, ${oneShots} one-shots`, problems };
  },
};
