/** What a platform cannot show, as something simpler that it can. The one place that decides it. Pure. */
import type { Choice, OutboundPart } from '../../core/parts.js';
import type { PlatformAdapter } from '../../core/platform.js';

/** Whether so many choices are shown as buttons; else a bare number answers them. */
export const showsButtons = ({ choices }: PlatformAdapter, count: number): boolean =>
  choices !== undefined && count <= choices.maxChoices;

const toList = (choices: readonly Choice[]): string =>
  `${choices.map(({ label }, index) => `${index + 1}. ${label}`).join('\n')}\n\nAnswer with the number.`;

export const fallBack = (parts: readonly OutboundPart[], adapter: PlatformAdapter): readonly OutboundPart[] =>
  parts.map((part) =>
    part.type !== 'choices' || showsButtons(adapter, part.choices.length)
      ? part
      : { type: 'text', text: toList(part.choices) },
  );
