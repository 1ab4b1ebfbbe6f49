/**
 * What every implementation of the store ports has to do, run over each of them. Stored text is compared after a
 * restart wherever that matters, so that nothing passes by being kept in memory only.
 */
import { describe } from 'vitest';
import { archiveSuite } from './archive-suite.js';
import { chatMoveSuite } from './chat-move-suite.js';
import { grantSuite } from './grant-suite.js';
import type { OpenHarness } from './harness.js';
import { inboxSuite } from './inbox-suite.js';
import { jobSuite } from './job-suite.js';
import { keepingSuite } from './keeping-suite.js';
import { outboxSuite } from './outbox-suite.js';
import { pageLogSuite } from './page-log-suite.js';
import { pairingSuite } from './pairing-suite.js';
import { questionSuite } from './question-suite.js';
import { recoverySuite } from './recovery-suite.js';
import { sessionSuite } from './session-suite.js';
import { turnSuite } from './turn-suite.js';

export const storeSuite = (name: string, open: OpenHarness): void => {
  describe(`${name} stores`, () => {
    inboxSuite(open);
    sessionSuite(open);
    turnSuite(open);
    recoverySuite(open);
    outboxSuite(open);
    pageLogSuite(open);
    pairingSuite(open);
    archiveSuite(open);
    keepingSuite(open);
    questionSuite(open);
    grantSuite(open);
    chatMoveSuite(open);
    jobSuite(open);
  });
};
