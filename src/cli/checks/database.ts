import { checkDatabase } from '../../inspect.js';
import { type CheckContext, type Finding, reasonOf, withoutStop } from './finding.js';

const base = { id: 'database', title: 'Database' } as const;

const advice =
  'Stop the gateway, move the file away with its -wal and -shm, and put a backup in its place or start without one.';

export const checkStore = async ({ paths }: CheckContext): Promise<readonly Finding[]> => {
  try {
    const check = await checkDatabase(paths.home);
    switch (check.state) {
      case 'absent':
        return [{ ...base, state: 'note', text: 'not there yet; it is made at the first start' }];
      case 'sound':
        return [{ ...base, state: 'ok', text: `${check.file} is sound` }];
      case 'damaged':
        return [
          {
            ...base,
            state: 'mend',
            text: `${check.file} is damaged: ${withoutStop(check.reason)}`,
            fix: advice,
          },
        ];
    }
  } catch (error) {
    const [what = '', ...rest] = reasonOf(error).split(/(?<=\.)\s+/u);
    const fix = rest.length > 0 ? rest.join(' ') : advice;
    return [{ ...base, state: 'mend', text: withoutStop(what), fix }];
  }
};
