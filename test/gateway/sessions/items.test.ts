import { describe, expect, test } from 'vitest';
import { toInboxId, toMessageId } from '../../../src/core/ids.js';
import type { InboundEdit, InboundMessage } from '../../../src/core/inbound.js';
import type { InboundMediaPart } from '../../../src/core/parts.js';
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

const aFile = (description: string, changes: Partial<InboundMediaPart> = {}): InboundMediaPart => ({
  type: 'media',
  kind: 'image',
  handle: description,
  description,
  ...changes,
});

describe('takeBatch', () => {
  test('takes nothing of nothing', () => {
    expect(takeBatch([])).toEqual([]);
  });

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

  test('names files by what became of them, with their captions, and what was shared', () => {
    const kept = { path: '/cache/p.png', fileName: 'p.png', mimeType: 'image/png', sizeBytes: 3 };
    const picture = aFile('a photo', { caption: 'look' });
    const sound = aFile('a voice note');
    const event: InboundMessage = {
      ...aMessage(),
      parts: [picture, sound, { type: 'described', description: 'a place' }],
    };
    const received = new Map([[picture, { note: '[image saved]', image: kept }]]);
    expect(toUserMessage(event, false, received)).toEqual({
      role: 'user',
      text: 'look\n[image saved]\n\n[The sender attached a voice note.]\n\n[The sender shared a place.]',
      images: [kept],
    });
  });

  test('quotes nothing of an answer to a picture, and somebody unnamed', () => {
    const message = toMessageId('5');
    const quoting = (replyTo: InboundMessage['replyTo']) =>
      toUserMessage({ ...aMessage({ text: 'hi' }), ...(replyTo !== undefined && { replyTo }) }, false).text;
    expect(quoting({ message })).toBe('hi');
    expect(quoting({ message, text: '' })).toBe('hi');
    expect(quoting({ message, text: 'short' })).toBe('[In reply to a message: "short"]\nhi');
  });
});

describe('an edit', () => {
  const edit = (of: string): InboundEdit => {
    const { type: _type, sentAt: _sentAt, ...said } = aMessage({ id: of, text: 'better' });
    return { ...said, type: 'edit' };
  };

  test('of a message that waits changes it and waits with it', () => {
    const waiting = [item(aMessage({ id: '1' })), item(aMessage({ id: '2' }))];
    expect(applyEdit(waiting, edit('2'), toInboxId('e'))).toBe(true);
    expect(waiting[1]).toMatchObject({ inboxes: ['2', 'e'], event: { parts: [{ text: 'better' }] } });
  });

  test('of what does not wait, or waits merged with others, changes nothing', () => {
    const merged: SessionItem = {
      type: 'message',
      inboxes: [],
      event: aMessage({ id: '1' }),
      isMerged: true,
    };
    expect(applyEdit([merged], edit('1'), toInboxId('e'))).toBe(false);
    expect(applyEdit([item(aMessage({ id: '1' }))], edit('9'), toInboxId('e'))).toBe(false);
  });
});

describe('replyTarget', () => {
  test('quotes in groups and not in private', () => {
    expect(replyTarget(aMessage({ chatKind: 'group' }))).toBe('m1');
    expect(replyTarget(aMessage())).toBeUndefined();
  });
});
