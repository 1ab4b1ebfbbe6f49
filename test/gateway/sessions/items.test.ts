import { describe, expect, test } from 'vitest';
import { toInboxId, toMessageId } from '../../../src/core/ids.js';
import type { InboundMessage } from '../../../src/core/inbound.js';
import {
  applyEdit,
  replyTarget,
  type SessionItem,
  takeBatch,
  takeSteering,
  toUserMessage,
} from '../../../src/gateway/sessions/items.js';
import { aMessage } from '../../fakes/builders.js';

const item = (event: InboundMessage): SessionItem => ({
  type: 'message',
  inboxes: [toInboxId(event.message)],
  event,
});

describe('takeBatch', () => {
  test('takes what one person wrote in a row and leaves the rest', () => {
    const waiting = [
      item(aMessage({ id: '1', user: 'u1' })),
      item(aMessage({ id: '2', user: 'u1' })),
      item(aMessage({ id: '3', user: 'u2' })),
      item(aMessage({ id: '4', user: 'u1' })),
    ];
    expect(takeBatch(waiting)).toHaveLength(2);
    expect(takeBatch(waiting)).toHaveLength(1);
    expect(waiting).toHaveLength(1);
  });
});

describe('takeSteering', () => {
  test('lets only the same person join a turn', () => {
    const voice = aMessage({ user: 'u1' });
    const waiting = [item(aMessage({ id: '1', user: 'u2' })), item(aMessage({ id: '2', user: 'u1' }))];
    expect(takeSteering(waiting, voice)).toEqual([]);
    waiting.shift();
    expect(takeSteering(waiting, voice)).toHaveLength(1);
  });
});

describe('applyEdit', () => {
  test('changes a message that still waits and no other', () => {
    const waiting = [item(aMessage({ id: '1', text: 'old' })), item(aMessage({ id: '2', text: 'other' }))];
    const { addressed, ...base } = aMessage({ id: '1', text: 'new' });
    expect(applyEdit(waiting, { ...base, type: 'edit', addressed }, toInboxId('e1'))).toBe(true);
    expect(waiting.map((one) => one.type === 'message' && one.event.parts)).toEqual([
      [{ type: 'text', text: 'new' }],
      [{ type: 'text', text: 'other' }],
    ]);
    expect(
      applyEdit(waiting, { ...base, type: 'edit', addressed, message: toMessageId('9') }, toInboxId('e2')),
    ).toBe(false);
  });
});

describe('toUserMessage', () => {
  test('names the speaker only where several share the session', () => {
    const event = aMessage({ user: 'u1', text: 'hi' });
    expect(toUserMessage(event, false).text).toBe('hi');
    expect(toUserMessage(event, true).text).toBe('User u1: hi');
  });

  test('is the text that is stored', () => {
    expect(toUserMessage(aMessage({ text: 'a\0b' }), false).text).toBe('ab');
  });

  test('shows what is quoted, shortened, and what cannot be read', () => {
    const event: InboundMessage = {
      ...aMessage(),
      parts: [
        { type: 'unsupported', description: 'a sticker 🙂' },
        { type: 'text', text: 'this one' },
      ],
      replyTo: { message: toMessageId('5'), text: 'q'.repeat(600), senderName: 'Pat' },
    };
    const { text } = toUserMessage(event, false);
    expect(text).toContain(`[In reply to Pat: "${'q'.repeat(500)}…"]`);
    expect(text).toContain('a sticker 🙂');
    expect(text.endsWith('this one')).toBe(true);
  });
});

describe('replyTarget', () => {
  test('quotes in groups and not in private', () => {
    expect(replyTarget(aMessage({ chatKind: 'group' }))).toBe('m1');
    expect(replyTarget(aMessage())).toBeUndefined();
  });
});
