import { createDiscordControl, type FaultAction, type SeenMessage } from '../../emulators/discord/control.js';
import { SIDE_TIMEOUT_MS, type Side } from './side.js';
import { pictureBytes } from './telegram-side.js';

const GUILD = '700000000000000001';
const FIRST_CHANNEL = 600000000000000000n;
const FIRST_PERSON = 800000000000000000n;
const FLOOD_SECONDS = 1;
const timeout = { timeoutMs: SIDE_TIMEOUT_MS };
const SEND = String.raw`^POST /channels/\d+/messages$`;

const personOf = (chat: number): string => String(FIRST_PERSON + BigInt(chat));

/** Every other chat is a channel of a server, the others are private. */
const isChannel = (chat: number): boolean => chat % 4 === 1;

const hold = (applied: boolean): FaultAction => ({ kind: 'hold', applied });
const tooMany: FaultAction = {
  kind: 'answer',
  status: 429,
  body: { message: 'You are being rate limited.', code: 0, retry_after: FLOOD_SECONDS, global: false },
  headers: { 'retry-after': String(FLOOD_SECONDS) },
};

/** `chats`: those that may be written in, of all. */
export const createDiscordSide = (url: string, token: string, chats: readonly number[]): Side => {
  const discord = createDiscordControl(url, token);
  const channelOf = async (chat: number): Promise<string> =>
    isChannel(chat) ? String(FIRST_CHANNEL + BigInt(chat)) : discord.directChannel(personOf(chat));
  const untilChannel = async (chat: number, isEnough: (messages: readonly SeenMessage[]) => boolean) => {
    await discord.waitForChannel(await channelOf(chat), isEnough, timeout);
  };
  const untilHeld = (): Promise<void> => discord.wait({ kind: 'held', count: 1 }, timeout);
  const afterMore = async (call: string, count: number) => {
    const before = (await discord.calls(call)).length;
    return () => discord.wait({ kind: 'calls', call, count: before + count }, timeout);
  };
  return {
    async reset() {
      const channels = chats
        .filter(isChannel)
        .map((chat) => ({ id: String(FIRST_CHANNEL + BigInt(chat)), name: `channel-${chat}` }));
      await discord.reset({
        users: chats.map((chat) => ({ id: personOf(chat) })),
        guilds: [
          { id: GUILD, channels, members: Object.fromEntries(chats.map((chat) => [personOf(chat), []])) },
        ],
      });
    },
    remove: discord.remove,
    settings: (isStreaming) => ({
      token,
      api_root: discord.apiRoot,
      streaming: isStreaming,
      require_mention: false,
      auto_thread: false,
      // By id: a private chat that began while the gateway was down is found only so.
      allowed_users: chats.map(personOf),
    }),
    async write({ chat, text, kind }) {
      const files = [
        { name: 'p.png', contentBase64: pictureBytes.toString('base64'), contentType: 'image/png' },
      ];
      const options = kind === 'photo' ? { files } : {};
      await discord.say(personOf(chat), await channelOf(chat), text, options);
    },
    /** Discord is told nothing; what is done for a letter is done after it was stored. */
    async untilStored({ chat }) {
      const call = `^POST /channels/${await channelOf(chat)}/(typing|messages)$`;
      await discord.wait({ kind: 'calls', call, count: 1 }, timeout);
    },
    botTexts: async (chat) => discord.botTexts(await channelOf(chat)),
    untilShown: (chat, isEnough) =>
      untilChannel(chat, (messages) =>
        isEnough(messages.filter(({ byBot }) => byBot).map(({ content }) => content)),
      ),
    untilBotIsLast: (chat) => untilChannel(chat, (messages) => messages.at(-1)?.byBot === true),
    afterCalls: (count) => afterMore('', count),
    async holdSend(text, applied) {
      await discord.fault({ call: SEND, contains: text, action: hold(applied) });
      return untilHeld;
    },
    async holdEdit(chat, text, applied) {
      const call = `^PATCH /channels/${await channelOf(chat)}/messages/`;
      await discord.fault({ call, contains: text, action: hold(applied) });
      return untilHeld;
    },
    async flood(text) {
      const before = (await discord.calls(SEND)).filter(({ status }) => status === 429).length;
      await discord.fault({ call: SEND, contains: text, action: tooMany });
      return () => discord.wait({ kind: 'calls', call: SEND, count: before + 1, status: 429 }, timeout);
    },
    clearFaults: discord.removeFaults,
    countSends: async () => (await discord.calls(SEND)).length,
    async afterConnection() {
      const { identifies } = await discord.state();
      return () => discord.wait({ kind: 'sessions', count: identifies + 1 }, timeout);
    },
  };
};
