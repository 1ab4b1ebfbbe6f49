import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatTarget, parseTargets, type Target } from '../../src/core/targets.js';

const targetsOf = (text: string): readonly Target[] => {
  const parsed = parseTargets(text);
  if (!parsed.ok) throw new Error(parsed.problem);
  return parsed.targets;
};

describe('parseTargets', () => {
  test('reads the plain words', () => {
    expect(targetsOf('local')).toEqual([{ type: 'local' }]);
    expect(targetsOf('origin')).toEqual([{ type: 'origin' }]);
    expect(targetsOf('matrix')).toEqual([{ type: 'home', platform: 'matrix' }]);
  });

  test('keeps everything behind the first colon as the name', () => {
    expect(targetsOf('matrix:-100123:17')).toEqual([
      { type: 'named', platform: 'matrix', name: '-100123:17', isQuoted: false },
    ]);
  });

  test('reads quoted labels with commas, colons and escaped quotes', () => {
    expect(targetsOf('irc:"Pat, \\"the\\" Doe: home (dm)"')).toEqual([
      { type: 'named', platform: 'irc', name: 'Pat, "the" Doe: home (dm)', isQuoted: true },
    ]);
  });

  test('reads comma lists with blanks around', () => {
    expect(targetsOf(' origin , irc:#general,local').map((target) => target.type)).toEqual([
      'origin',
      'named',
      'local',
    ]);
  });

  test.each(['', ' ', 'origin,', ',', 'irc:', 'Irc:1', ':1', 'irc:""'])(
    'says what is wrong with %j',
    (text) => {
      const parsed = parseTargets(text);
      expect(parsed.ok).toBe(false);
      expect(parsed.ok ? '' : parsed.problem).toContain('platform:chat_id');
    },
  );

  test('gives back every target that it prints', () => {
    const name = fc
      .string({ minLength: 1 })
      .filter((text) => text.trim() === text && !text.includes('\u0000'));
    fc.assert(
      fc.property(name, fc.boolean(), (text, isQuoted) => {
        const target: Target = { type: 'named', platform: 'irc', name: text, isQuoted };
        const [parsed] = targetsOf(formatTarget(target));
        expect(parsed).toMatchObject({ type: 'named', platform: 'irc', name: text });
      }),
    );
  });
});
