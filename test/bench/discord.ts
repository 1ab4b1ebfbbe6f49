/** The same load on Discord, beside a bare discord.js and openai script; and both platforms in one process, at rest. */
import { fileURLToPath } from 'node:url';
import { discordLoad } from './discord-load.js';
import { type Load, telegramLoad } from './load.js';
import { type PairOf, type Row, toLoadRows, toTogetherRows } from './report.js';
import { type LoadSize, measureRound, measureStart, rehearse, type StartFigures } from './round.js';
import { bareSubject, type FarSide, gatewaySubject, type Subject } from './subject.js';

const floor = bareSubject('discord floor', fileURLToPath(new URL('./bare-discord.mjs', import.meta.url)));
const bothFloor = bareSubject('both floors', fileURLToPath(new URL('./bare-both.mjs', import.meta.url)));

/** Ready when both platforms are. */
const together: Pick<Load, 'untilReady'> = {
  untilReady: async (world) =>
    Math.max(await telegramLoad.untilReady(world), await discordLoad.untilReady(world)),
};

/** In turns, the floor first in every other pair. */
const inTurns = async <Figures>(
  rounds: number,
  subjects: { readonly floor: Subject; readonly gateway: Subject },
  measure: (order: readonly Subject[]) => Promise<readonly Figures[]>,
): Promise<readonly PairOf<Figures>[]> => {
  const pairs: PairOf<Figures>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const isGatewayFirst = round % 2 === 1;
    const order = [subjects.floor, subjects.gateway];
    const figures = await measure(isGatewayFirst ? order.reverse() : order);
    const [one, other] = isGatewayFirst ? [...figures].reverse() : figures;
    if (one === undefined || other === undefined) throw new Error('a round measures both');
    pairs.push({ floor: one, gateway: other });
  }
  return pairs;
};

export const measureDiscordRows = async (
  distMain: string,
  far: FarSide,
  { rounds, size }: { readonly rounds: number; readonly size: LoadSize },
): Promise<readonly Row[]> => {
  const gateway = gatewaySubject('gateway on Discord', distMain, { platforms: ['discord'] });
  const both = gatewaySubject('gateway on both', distMain, { platforms: ['telegram', 'discord'] });
  for (const subject of [floor, gateway]) await rehearse(subject, far, discordLoad);
  const loaded = await inTurns(rounds, { floor, gateway }, (order) =>
    measureRound(order, far, size, discordLoad),
  );
  const started = await inTurns<StartFigures>(rounds, { floor: bothFloor, gateway: both }, async (order) => {
    const figures: StartFigures[] = [];
    for (const subject of order) figures.push(await measureStart(subject, far, together));
    return figures;
  });
  return [...toLoadRows('Discord', loaded), ...toTogetherRows(started)];
};
