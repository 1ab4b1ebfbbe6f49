import { expect, test } from 'vitest';
import { isZone, parseIsoTime } from '../../../src/cron/schedule/wall-clock.js';

test('a zone is known by its IANA name', () => {
  expect(isZone('Europe/Berlin')).toBe(true);
  expect(isZone('Europe/Atlantis')).toBe(false);
});

test('a time in the skipped hour is right after it, and says so', () => {
  const at = Date.parse('2026-03-29T01:00:00Z');
  expect(parseIsoTime('2026-03-29T02:15', 'Europe/Berlin')).toStrictEqual({ at, isSkipped: true });
});
