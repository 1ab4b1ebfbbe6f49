import { expect } from 'vitest';
import type { MessageId } from '../../../src/core/ids.js';
import type { EncodedMessage } from '../../../src/core/outbound.js';
import type { OutboundPart } from '../../../src/core/parts.js';
import { type PlatformCases, type PlatformHarness, Reception } from './harness.js';
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

/** A token of the longest allowed length. */
const tokenOf = (index: number): string => `q${'x'.repeat(34)}.${String(index).padStart(3, '0')}`;

const choicesPart = (labels: readonly string[]): OutboundPart => ({
  type: 'choices',
  choices: labels.map((label, index) => ({ label, token: tokenOf(index) })),
});

const sendChoices = async ({ adapter, route }: PlatformHarness) => {
  const parts: readonly OutboundPart[] = [{ type: 'text', text: 'May I?' }, choicesPart(['Yes, do', 'No'])];
  const [encoded] = adapter.encode(parts, route);
  if (encoded === undefined) throw new Error('the choices give no message');
  const { messages } = await adapter.send({ route, encoded, idempotencyKey: 'k' }, options);
  const message = messages.at(-1);
  if (message === undefined) throw new Error('the receipt is empty');
  return { message, token: tokenOf(1) };
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

  'choices are buttons, and one that is pressed comes back with its token': async (harness, skip) => {
    const { adapter, route } = harness;
    if (adapter.choices === undefined) return skip('it shows no choices');
    const { message, token } = await sendChoices(harness);
    expect(await harness.buttons?.()).toEqual(['Yes, do', 'No']);
    const reception = new Reception();
    reception.begin(adapter);
    await reception.connected();
    await harness.press?.('No');
    await reception.until(() => reception.events.length > 0);
    await reception.stop();
    const [event] = reception.events;
    expect(event).toMatchObject({
      type: 'action',
      action: 'choose',
      token,
      message,
      origin: { platform: route.platform, account: route.account, chat: route.chat },
      sender: { isBot: false },
    });
    if (event?.type !== 'action' || event.action !== 'choose') throw new Error('a press is an action');
    expect(JSON.parse(JSON.stringify(event.press))).toEqual(event.press);
    await adapter.choices.acknowledge(event.press, 'x'.repeat(200), options);
    expect(await harness.told?.()).toEqual(['x'.repeat(200)]);
  },

  'each press has a key of its own': async (harness, skip) => {
    if (harness.adapter.choices === undefined) return skip('it shows no choices');
    await sendChoices(harness);
    const reception = new Reception();
    reception.begin(harness.adapter);
    await reception.connected();
    await harness.press?.('No');
    await harness.press?.('No');
    await reception.until(() => reception.events.length > 1);
    await reception.stop();
    expect(new Set(reception.events.map(({ dedupeKey }) => dedupeKey)).size).toBe(2);
  },

  'an edit without choices takes the buttons away': async (harness, skip) => {
    const { adapter, route } = harness;
    if (adapter.choices === undefined || adapter.editing === undefined) return skip('it shows no choices');
    const { message } = await sendChoices(harness);
    await adapter.editing.edit({ route, message, encoded: encodeOne(harness, 'It is done.') }, options);
    expect(await harness.shown()).toEqual(['It is done.']);
    expect(await harness.buttons?.()).toEqual([]);
  },

  'choices stand beneath the last message of a long text, and beneath a repeat of it': async (
    harness,
    skip,
  ) => {
    const { adapter, route } = harness;
    if (adapter.choices === undefined) return skip('it shows no choices');
    const text = 'word '.repeat(adapter.support(route).text.maxLength / 4);
    const messages = adapter.encode([{ type: 'text', text }, choicesPart(['Go on'])], route);
    const last = messages.at(-1);
    if (last === undefined) throw new Error('the text gives no message');
    expect(messages.length).toBeGreaterThan(1);
    for (const [index, encoded] of [
      ...messages.slice(0, -1),
      ...adapter.annotate(last, '(again)'),
    ].entries()) {
      expect(await harness.buttons?.()).toEqual([]);
      await adapter.send({ route, encoded, idempotencyKey: `k${index}` }, options);
    }
    expect(await harness.buttons?.()).toEqual(['Go on']);
  },

  'as many choices as it says, with the longest tokens and labels, are taken': async (harness, skip) => {
    const { adapter, route } = harness;
    if (adapter.choices === undefined) return skip('it shows no choices');
    const labels = Array.from(
      { length: adapter.choices.maxChoices },
      (_, index) => `${index} ${'long '.repeat(100)}`,
    );
    const [encoded] = adapter.encode([{ type: 'text', text: 'Which?' }, choicesPart(labels)], route);
    if (encoded === undefined) throw new Error('the choices give no message');
    await adapter.send({ route, encoded, idempotencyKey: 'k' }, options);
    expect(await harness.buttons?.()).toHaveLength(adapter.choices.maxChoices);
  },

  'a reaction takes the place of the one before, and goes': async (harness, skip) => {
    const { adapter, route } = harness;
    if (adapter.reacting === undefined) return skip('it does not react');
    const message = await sendFirst(harness, 'to react to');
    const seen = new Set<string>();
    for (const reaction of ['working', 'done', 'failed'] as const) {
      await adapter.reacting.react({ route, message }, reaction, options);
      const shown = (await harness.reactions?.()) ?? [];
      expect(shown).toHaveLength(1);
      seen.add(shown.join());
    }
    expect(seen.size).toBe(3);
    await adapter.reacting.react({ route, message }, undefined, options);
    expect(await harness.reactions?.()).toEqual([]);
  },
};
