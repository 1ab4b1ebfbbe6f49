import { describe, expect, test } from 'vitest';
import { anAgent } from './agent-world.js';

const context = {
  platformTitle: 'Paper Mail',
  chatKind: 'group',
  renderingHint: 'Tables do not render.',
} as const;

describe('the system prompt', () => {
  test('has the same bytes whenever it is built from the same texts', async () => {
    const { agent, clock } = anAgent();
    const first = await agent.systemPrompt(context);
    await clock.advance(86_400_000);
    expect(await agent.systemPrompt(context)).toBe(first);
  });

  test('says where it is, what renders, and that others can read a group', async () => {
    const prompt = await anAgent().agent.systemPrompt(context);
    expect(prompt).toContain('Paper Mail');
    expect(prompt).toContain('Tables do not render.');
    expect(prompt).toContain('several people');
  });

  test('opens with the identity of the operator, or one of ours', async () => {
    const prompt = { loadSoul: async () => ' You are Ada. \n', loadInstructions: async () => 'Speak Latin.' };
    const own = await anAgent({ prompt }).agent.systemPrompt(context);
    expect(own.startsWith('You are Ada.\n')).toBe(true);
    expect(own).toContain('# Standing instructions\nSpeak Latin.');
    const blank = { loadSoul: async () => '\n', loadInstructions: async () => '' };
    const ours = await anAgent({ prompt: blank }).agent.systemPrompt(context);
    expect(ours.startsWith('You are Hermes')).toBe(true);
    expect(ours).not.toContain('Standing instructions');
  });

  test('teaches how files are sent, unless they are not', async () => {
    expect(await anAgent().agent.systemPrompt(context)).toContain('MEDIA:/absolute/path');
    expect(await anAgent({ mediaDelivery: false }).agent.systemPrompt(context)).not.toContain('MEDIA:');
  });

  test('cuts a file that would fill the window', async () => {
    const prompt = { loadSoul: async () => 'x'.repeat(30_000), loadInstructions: async () => undefined };
    const text = await anAgent({ prompt }).agent.systemPrompt(context);
    expect(text).toContain('[… 10000 characters left out]');
  });
});
