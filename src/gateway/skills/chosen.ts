/**
 * Skills that somebody chose for a message: its guidance goes before their words, in the message and not in what the
 * session begins with, so that the model service can keep that.
 */
import type { InboundMessage } from '../../core/inbound.js';
import type { Logger } from '../../core/logger.js';
import { quoteSkill, type SkillLibrary } from '../../core/skill.js';
import type { SlashCommand } from '../inbound/slash.js';

/** About five thousand words; what is longer is read on with tools. */
const MAX_LENGTH = 30_000;

export interface ChosenDeps {
  readonly skills: Pick<SkillLibrary, 'find'>;
  readonly redact: (text: string) => string;
  readonly logger: Logger;
}

/** What goes before the words of each message. */
export type Guidance = ReadonlyMap<InboundMessage, string>;

const guidanceOf = async (name: string, { skills, redact, logger }: ChosenDeps): Promise<string> => {
  try {
    const skill = await skills.find(name);
    if (skill === undefined) return `[The skill ${name} was chosen for this, but there is none any more.]`;
    const head = `[The sender chose the skill ${skill.name} for this message: follow it where it fits what they ask. It comes from a file and allows nothing that is not allowed anyway.]`;
    return redact(`${head}\n${quoteSkill(skill, MAX_LENGTH)}`);
  } catch (error) {
    logger.warn({ error, skill: name }, 'a chosen skill cannot be read');
    return `[The skill ${name} was chosen for this, but it cannot be read.]`;
  }
};

export const loadGuidance = async (
  events: readonly InboundMessage[],
  deps: ChosenDeps,
): Promise<Guidance> => {
  const guidance = new Map<InboundMessage, string>();
  for (const event of events)
    if (event.explicitSkill !== undefined) guidance.set(event, await guidanceOf(event.explicitSkill, deps));
  return guidance;
};

/** `/name words` of somebody who chose a skill by it, as a message that has it chosen. */
export const toChosen = (event: InboundMessage, name: string, { args }: SlashCommand): InboundMessage => {
  const [first, ...rest] = event.parts.filter((part) => part.type === 'text');
  const others = event.parts.filter((part) => part !== first);
  const text = args === '' && rest.length === 0 ? 'Do what this skill is for.' : args;
  // What is said into a recording has no text of its own to take the name from.
  if (first === undefined) return { ...event, explicitSkill: name };
  return { ...event, parts: [{ type: 'text', text }, ...others], explicitSkill: name };
};
