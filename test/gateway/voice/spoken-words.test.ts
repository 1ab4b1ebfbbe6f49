import { describe, expect, test } from 'vitest';
import { toSpokenChoice, toSpokenCommand } from '../../../src/gateway/voice/spoken-words.js';

const commands = ['stop', 'new', 'model', 'set-home', 'voice'].map((name) => ({ name }));

describe('a spoken command', () => {
  test.each([
    ['Stop.', '/stop'],
    ['stop', '/stop'],
    ['停止', '/stop'],
    ['Slash stop', '/stop'],
    ['slash, new!', '/new'],
    ['Slash model gpt five', '/model gpt five'],
    ['Slash set home', '/set-home'],
    ['Schrägstrich voice always', '/voice always'],
    ['/voice off.', '/voice off'],
  ])('%j is %s', (said, line) => {
    expect(toSpokenCommand(said, commands)).toBe(line);
  });

  test.each(['Please stop the music', 'new', 'slash and burn', 'stopover', 'I said stop', ''])(
    '%j is ordinary words',
    (said) => {
      expect(toSpokenCommand(said, commands)).toBeUndefined();
    },
  );
});

describe('a spoken choice', () => {
  const options = ['Allow once', 'Allow always', 'Deny'].map((label) => ({ label, value: label }));

  test.each([
    ['Allow once.', 0],
    ['deny!', 2],
    ['two', 1],
    ['Number two', 1],
    ['the first one', 0],
    ['3', 2],
    ['第二', 1],
    ['die zweite', 1],
  ])('%j is option %i', (said, option) => {
    expect(toSpokenChoice(said, options)).toBe(option);
  });

  test.each(['allow', 'yes', "don't allow once", 'four', 'always', ''])('%j chooses nothing', (said) => {
    expect(toSpokenChoice(said, options)).toBeUndefined();
  });
});
