import { beforeEach, describe, expect, test } from 'vitest';
import { Conversation } from '../../../src/cli/chat/conversation.js';
import { FrameReader } from '../../../src/cli/chat/event-feed.js';
import { FlowText } from '../../../src/cli/chat/flow-text.js';

let out = '';
let conversation: Conversation;
beforeEach(() => {
  out = '';
  const write = (text: string): void => {
    out += text;
  };
  const output = { isTerminal: false, write };
  conversation = new Conversation(output, (text) => text);
});

const message = (text: string, more = {}) =>
  conversation.take({
    event: 'message',
    data: { messageId: 'm', role: 'assistant', text, media: [], ...more },
  });

test('a permission is shown as a card, and is over once somebody has answered', () => {
  const data = { id: 'p1', tool: 'terminal', category: 'system', summary: 'rm -r build', grantKey: 'rm' };
  conversation.take({ event: 'permission_request', data });
  expect(out).toContain('terminal (system): rm -r build');
  expect(out).toContain('s for this session for rm');
  expect(conversation.question).toBe('p1');
  conversation.take({ event: 'permission_resolved', data: { id: 'p1', outcome: 'timed_out' } });
  expect(conversation.question).toBeUndefined();
  expect(out).toContain('(timed out)');
});

test('an answer that differs from what was shown is written whole', () => {
  conversation.take({ event: 'delta', data: { turnId: 't', text: 'Half of' } });
  message('Something else.');
  expect(out).toBe('Half of\nSomething else.\n\n');
});

test('a message that overtakes the end of its text is said once', () => {
  conversation.take({ event: 'delta', data: { turnId: 't', text: 'Let me ' } });
  message('Let me do that.');
  conversation.take({ event: 'delta', data: { turnId: 't', text: 'do ' } });
  conversation.take({ event: 'delta', data: { turnId: 't', text: 'that.' } });
  conversation.take({ event: 'tool', data: { name: 'todo', summary: 'buy milk', state: 'started' } });
  expect(out).toBe('Let me do that.\n\n· todo: buy milk\n');
});

test('an answer that was stopped, and one that was held up, are said once', () => {
  conversation.take({ event: 'delta', data: { turnId: 't', text: 'As far as ' } });
  conversation.take({ event: 'status', data: { state: 'working', detail: 'trying again' } });
  conversation.take({ event: 'status', data: { state: 'idle', stopReason: 'cancelled' } });
  message('As far as …\n\n_(stopped)_');
  expect(out).toBe('As far as\n(trying again)\n…\n\n_(stopped)_\n\n');
});

test('files of an answer are named', () => {
  message('Here.', { media: [{ url: '/x', name: 'a.pdf', type: 'application/pdf' }] });
  expect(out).toContain('[file: a.pdf; the page shows it]');
});

test('what a model writes cannot steer the terminal', () => {
  message('a\u001B[2Jb\u0007c\rd');
  expect(out).toBe('a[2Jbc\nd\n\n');
});

describe('text in pieces', () => {
  const flow = (width: number, ...pieces: string[]): string => {
    let text = '';
    const flowing = new FlowText(width, (part) => {
      text += part;
    });
    for (const piece of pieces) flowing.add(piece);
    flowing.end();
    return text;
  };

  test.each([
    [10, ['one two th', 'ree four'], 'one two\nthree four\n'],
    [10, ['a\n\n', '  b'], 'a\n\n  b\n'],
    [6, ['今天天气很好'], '今天天\n气很好\n'],
    [4, ['abcdefgh ij'], 'abcdefgh\nij\n'],
    [10, ['', ''], ''],
  ])('within %i columns: %j', (width, pieces, result) => {
    expect(flow(width, ...pieces)).toBe(result);
  });
});

test('frames are read whole, however they are cut, and the last id is kept', () => {
  const reader = new FrameReader('0');
  const text = ': keep-alive\n\nid: 7-a-1\nevent: delta\ndata: {"text":"a: b"}\n\n';
  const events = [...text].flatMap((character) => reader.read(character));
  expect(events).toEqual([{ event: 'delta', data: { text: 'a: b' } }]);
  expect(reader.lastId).toBe('7-a-1');
});
