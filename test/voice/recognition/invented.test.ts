import { expect, test } from 'vitest';
import { withoutInventions } from '../../../src/voice/recognition/invented.js';

test.each([
  '',
  '  ',
  '.',
  '…',
  'Thank you for watching!',
  'Thanks for watching.',
  '[BLANK_AUDIO]',
  '(music)',
  '♪♪♪',
  'you',
  'Untertitel im Auftrag des ZDF für funk, 2017',
  '谢谢观看',
  'la la la la la la la la la la la la',
  'I am here I am here I am here I am here I am here',
])('nothing was said in %j', (transcript) => {
  expect(withoutInventions(transcript)).toBe('');
});

test.each([
  ['Thank you.', 'Thank you.'],
  ['No no no no no', 'No no no no no'],
  ['Thank you for watching the children', 'Thank you for watching the children'],
  ['[music] turn it off', 'turn it off'],
  ['call me (at home)', 'call me (at home)'],
  ['stop', 'stop'],
  ['好', '好'],
])('%j was said: %j', (transcript, said) => {
  expect(withoutInventions(transcript)).toBe(said);
});
