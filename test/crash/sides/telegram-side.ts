import { createTelegramControl, type FaultAction } from '../../emulators/telegram/control.js';
import { SIDE_TIMEOUT_MS, type Side } from './side.js';

const FIRST_CHAT_ID = 5001;
const FLOOD_SECONDS = 1;
const timeout = { timeoutMs: SIDE_TIMEOUT_MS };

/** The person's id too: every chat is a private one. */
const chatIdOf = (chat: number): number => FIRST_CHAT_ID + chat;

const hang = (applied: boolean): FaultAction => ({ kind: 'hang', applied });

/** Any other picture would do: a PNG's signature and the beginning of its header. */
export const pictureBytes = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex');

export const createTelegramSide = (url: string, token: string): Side => {
  const telegram = createTelegramControl(url, token);
  const updateIds = new Map<string, number>();
  const untilBotIsLast: Side['untilBotIsLast'] = async (chat) => {
    await telegram.waitForChat(chatIdOf(chat), (messages) => messages.at(-1)?.from === 'bot', timeout);
  };
  return {
    reset: async () => void (await telegram.reset()),
    remove: telegram.remove,
    settings: (isStreaming) => ({ token, api_root: telegram.apiRoot, streaming: isStreaming }),
    async write({ chat, text, token: name, kind }) {
      if (kind !== 'photo') {
        updateIds.set(name, (await telegram.sendDirect(chatIdOf(chat), text)).updateId);
        return;
      }
      const { fileId, sizeBytes } = await telegram.addFile({ bytes: pictureBytes, fileName: 'p.png' });
      const size = {
        file_id: fileId,
        file_unique_id: `u${fileId}`,
        width: 1,
        height: 1,
        file_size: sizeBytes,
      };
      const fields = { photo: [size], caption: text };
      const { updateId } = await telegram.pushUpdate({ kind: 'message', userId: chatIdOf(chat), fields });
      updateIds.set(name, updateId);
    },
    async untilStored({ token: name }) {
      const updateId = updateIds.get(name);
      if (updateId === undefined) throw new Error(`${name} was not sent`);
      await telegram.waitForConfirmed(updateId, timeout);
    },
    botTexts: (chat) => telegram.botTexts(chatIdOf(chat)),
    async untilShown(chat, isEnough) {
      await telegram.waitForChat(
        chatIdOf(chat),
        (messages) => isEnough(messages.filter(({ from }) => from === 'bot').map(({ text }) => text)),
        timeout,
      );
    },
    untilBotIsLast,
    async afterCalls(count) {
      const { calls } = await telegram.state();
      return () => telegram.wait({ kind: 'calls', count: calls + count, pending: true }, timeout);
    },
    async holdSend(text, applied) {
      const fault = await telegram.fault({ method: 'sendMessage', textContains: text }, hang(applied));
      return () => fault.waitUntilHeld(1, timeout);
    },
    async holdEdit(chat, text, applied) {
      const edits = { method: 'editMessageText', chatId: chatIdOf(chat), textContains: text };
      const fault = await telegram.fault(edits, hang(applied));
      return () => fault.waitUntilHeld(1, timeout);
    },
    async flood(text) {
      const sends = { method: 'sendMessage', textContains: text };
      await telegram.flood(sends, FLOOD_SECONDS);
      return () => telegram.wait({ kind: 'calls', count: 1, ok: false, ...sends }, timeout);
    },
    clearFaults: telegram.clearFaults,
    countSends: async () => (await telegram.calls('sendMessage')).length,
    afterConnection: async () => () => telegram.waitForPoll(timeout),
  };
};
