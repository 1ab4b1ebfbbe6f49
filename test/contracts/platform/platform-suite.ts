import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { encodingCases } from './encoding-cases.js';
import { facetCases } from './facet-cases.js';
import type { PlatformCases, PlatformHarness } from './harness.js';
import { receivingCases } from './receiving-cases.js';
import { sendingCases } from './sending-cases.js';

export type { PlatformHarness } from './harness.js';

const cases: PlatformCases = { ...encodingCases, ...sendingCases, ...facetCases, ...receivingCases };

/**
 * What every platform keeps to, whatever it is. `skips` maps the name of a case to the reason why it cannot hold
 * there.
 */
export const platformSuite = (
  name: string,
  create: () => Promise<PlatformHarness>,
  skips: Readonly<Record<string, string>> = {},
): void => {
  describe(`platform contract: ${name}`, () => {
    let harness: PlatformHarness;
    beforeEach(async () => {
      harness = await create();
    });
    afterEach(() => harness.dispose());

    for (const [title, check] of Object.entries(cases)) {
      if (skips[title] === undefined) test(title, ({ skip }) => check(harness, (reason) => skip(reason)));
    }

    test('every skip names a case and says why', () => {
      expect(Object.keys(cases)).toEqual(expect.arrayContaining(Object.keys(skips)));
      expect(Object.values(skips).every((reason) => reason.trim() !== '')).toBe(true);
    });
  });
};
