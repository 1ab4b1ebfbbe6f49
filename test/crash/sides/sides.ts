/** The platforms of a run, and which chat lives where. */
import { type SideName, sideOf } from '../letters.js';
import { createDiscordSide } from './discord-side.js';
import type { Side } from './side.js';
import { createTelegramSide } from './telegram-side.js';

export type Sides = Readonly<Record<SideName, Side>>;

export interface SideAddresses {
  readonly telegramUrl: string;
  readonly discordUrl: string;
}

/** `number` tells the bots of runs apart. */
export const createSides = (
  { telegramUrl, discordUrl }: SideAddresses,
  number: number,
  chats: number,
): Sides => {
  const botId = Buffer.from(String(900_000_000_000_000_000n + BigInt(number))).toString('base64url');
  const all = Array.from({ length: chats }, (_, chat) => chat);
  return {
    telegram: createTelegramSide(telegramUrl, `${300_000_000 + number}:crash-0123456789abcdefghij`),
    discord: createDiscordSide(
      discordUrl,
      `${botId}.CRASH1.0123456789abcdefghij`,
      all.filter((chat) => sideOf(chat) === 'discord'),
    ),
  };
};

export const bothOf = ({ telegram, discord }: Sides): readonly Side[] => [telegram, discord];
