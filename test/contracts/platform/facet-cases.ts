import { expect } from 'vitest';
import type { MessageId } from '../../../src/core/ids.js';
import type { EncodedMessage } from '../../../src/core/outbound.js';
import type { PlatformCases, PlatformHarness } from './harness.js';
import { rejectionOf, sendText } from './sending-cases.js';

const encodeOne = ({ adapter, route }: PlatformHarness, text: string): EncodedMessage => {
  const [encoded] = adapter.encode([{ type: 'text', text }], route);
  if (encoded === undefined) throw new Error('the text gives no message');
  return encoded;
};

const options = { signal: new AbortController().signal };

const sendFirst = async (harness: PlatformHarness, text: string): Promise<MessageId> => {
  const [message] = (await sendText(harness, text)).messages;
  if (message === undefined) throw new Error('the receipt is empty');
  return message;
};

export const facetCases: PlatformCases = {
  'an edit replaces the text of its message': async (harness, skip) => {
    const { adapter, route } = harness;
    if (adapter.editing === undefined) return skip('it cannot edit');
    const message = await sendFirst(harness, 'before');
    const encoded = encodeOne(harness, 'after');
    const receipt = await adapter.editing.edit({ route, message, encoded }, options);
    expect(receipt.messages).toEqual([message]);
    expect(await harness.shown()).toEqual(['after']);
  },

  'an edit that changes nothing succeeds': async (harness, skip) => {
    const { adapter, route } = harness;
    if (adapter.editing === undefined) return skip('it cannot edit');
    const message = await sendFirst(harness, 'same');
    const encoded = encodeOne(harness, 'same');
    expect((await adapter.editing.edit({ route, message, encoded }, options)).messages).toEqual([message]);
    expect(await harness.shown()).toEqual(['same']);
  },

  'an aborted signal ends an edit with its reason': async (harness, skip) => {
    const { adapter, route } = harness;
    if (adapter.editing === undefined) return skip('it cannot edit');
    const message = await sendFirst(harness, 'before');
    const reason = new Error('called off');
    const request = { route, message, encoded: encodeOne(harness, 'after') };
    expect(await rejectionOf(adapter.editing.edit(request, { signal: AbortSignal.abort(reason) }))).toBe(
      reason,
    );
    expect(await harness.shown()).toEqual(['before']);
  },

  'a platform that previews can edit, at a pace it names': ({ adapter, route }, skip) => {
    if (adapter.preview === undefined) return skip('it shows no previews');
    expect(adapter.editing).toBeDefined();
    expect(adapter.preview.minIntervalMs(route)).toBeGreaterThan(0);
  },

  'a preview shows nothing of nothing and stays within one message': (harness, skip) => {
    const { adapter, route } = harness;
    if (adapter.preview === undefined) return skip('it shows no previews');
    expect(adapter.preview.encodePreview('', route)).toBeUndefined();
    expect(adapter.preview.encodePreview(' \n', route)).toBeUndefined();
    const { maxLength } = adapter.support(route).text;
    for (const text of ['Hel', '**bo', '```py\nx =', 'word '.repeat(5000)]) {
      const preview = adapter.preview.encodePreview(text, route);
      expect(preview?.text.trim()).toBeTruthy();
      expect(preview?.text.length).toBeLessThanOrEqual(maxLength);
    }
  },

  'a preview can be sent and then edited into the answer': async (harness, skip) => {
    const { adapter, route } = harness;
    if (adapter.preview === undefined || adapter.editing === undefined) return skip('it shows no previews');
    const encoded = adapter.preview.encodePreview('half an', route);
    if (encoded === undefined) throw new Error('the preview shows nothing');
    const { messages } = await adapter.send({ route, encoded, idempotencyKey: 'k' }, options);
    const [message] = messages;
    if (message === undefined) throw new Error('the receipt is empty');
    await adapter.editing.edit({ route, message, encoded: encodeOne(harness, 'half an answer') }, options);
    expect(await harness.shown()).toEqual(['half an answer']);
  },

  'typing can be shown and says how long it lasts': async ({ adapter, route }, skip) => {
    if (adapter.typing === undefined) return skip('it has no typing indicator');
    expect(adapter.typing.lastsMs).toBeGreaterThan(0);
    await adapter.typing.show(route, options);
  },

  'a command menu takes what the gateway offers': async ({ adapter }, skip) => {
    if (adapter.commandMenu === undefined) return skip('it has no command menu');
    await adapter.commandMenu.publish([{ name: 'stop', description: 'Stops the running answer' }], options);
  },
};
