/** The one file that knows node-schedule. Imported lazily: only a gateway that runs for long needs it. */
import schedule from 'node-schedule';

/** Rings at the beginning of each minute of the host's clock, when most jobs are due. Gives what ends it. */
export const ringEveryMinute = (ring: () => void): (() => void) => {
  const job = schedule.scheduleJob('* * * * *', () => ring());
  return () => void job.cancel();
};
