/** Requests for permission on the page: asked about, answered, and checked with what the gateway knows of them. */
import { markPermission, settlePermissions } from './conversation.js';
import { createPermissionCards } from './permission-card.js';

const toBody = (choice, reason) => {
  if (choice !== 'deny') return { decision: 'allow', scope: choice };
  return { decision: 'deny', ...(reason !== '' && { reason }) };
};

export const createPermissions = ({ currentChat, getJson, onRefused, redraw }) => {
  /** The gateway's own word ends the card; only what went wrong is shown here. */
  const answer = async ({ id }, choice, reason) => {
    const { conversation } = currentChat();
    const mark = (change) => {
      markPermission(conversation, id, change);
      redraw();
    };
    mark({ state: 'sending', problem: '' });
    const request = fetch(`/api/permissions/${id}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(toBody(choice, reason)),
    });
    const response = await request.catch(() => undefined);
    if (response?.ok) return;
    if (response?.status === 401) onRefused();
    const told = (await response?.json().catch(() => undefined))?.error?.message;
    mark({ state: 'open', problem: told ?? 'This did not reach the gateway. Please try again.' });
  };

  /** An event may be old by the time it is seen: how long is left, and what is over, the gateway knows. */
  const check = async (chat) => {
    const told = await getJson(`/api/permissions?session=${chat.session}`).catch(() => undefined);
    if (told === undefined || chat !== currentChat()) return;
    settlePermissions(chat.conversation, told.pending, performance.now());
    redraw();
  };

  return { draw: createPermissionCards({ answer }).draw, check };
};
