/** What the members of a group are told when it changes. */
import type { LinkedDevice } from './linked-device.js';
import { type BinaryNode, node, secondsNow } from './nodes.js';
import type { GroupSpec } from './protocol.js';
import type { World } from './world.js';

/** Tells the bot, if it is or was in the group. */
export function tellGroupChange(world: World, before: GroupSpec | undefined, after: GroupSpec): void {
  if (before === undefined) return;
  const earlier = membersOf(world, before);
  const now = membersOf(world, after);
  if (!earlier.includes(world.account.number) && !now.includes(world.account.number)) return;
  const news: BinaryNode[] = [];
  const joined = now.filter((number) => !earlier.includes(number));
  const left = earlier.filter((number) => !now.includes(number));
  if (joined.length > 0) news.push(node('add', {}, participants(world, after, joined)));
  if (left.length > 0) news.push(node('remove', {}, participants(world, after, left)));
  if (before.subject !== after.subject) news.push(node('subject', { subject: after.subject ?? 'Group' }));
  for (const change of news) for (const bot of world.devices.values()) tell(world, bot, after, change);
}

function tell(world: World, bot: LinkedDevice, group: GroupSpec, change: BinaryNode): void {
  const author = world.phone(group.members[0] ?? world.account.number);
  const addressing = group.addressing ?? 'lid';
  bot.deliver(
    node(
      'notification',
      {
        from: group.id,
        participant: author.jid(addressing),
        ...(addressing === 'lid'
          ? { participant_pn: author.jid('pn') }
          : { participant_lid: author.jid('lid') }),
        addressing_mode: addressing,
        id: world.newId('G'),
        type: 'w:gp2',
        notify: author.name,
        t: secondsNow(),
      },
      [change],
    ),
  );
}

function membersOf(world: World, group: GroupSpec): readonly string[] {
  return group.withoutBot === true ? group.members : [...group.members, world.account.number];
}

function participants(world: World, group: GroupSpec, numbers: readonly string[]): BinaryNode[] {
  const addressing = group.addressing ?? 'lid';
  return numbers.map((number) => {
    const phone = world.phone(number);
    return node('participant', {
      jid: phone.jid(addressing),
      ...(addressing === 'lid' ? { phone_number: phone.jid('pn') } : { lid: phone.jid('lid') }),
    });
  });
}
