/**
 * What a conversation shows, as plain data: stored messages, the text that is being written (drafts), tool calls and
 * what was typed and not yet taken. Nothing here touches the page, so it can be tried without one.
 *
 * 1. A stored message is shown once, however often it is told.
 * 2. A draft is only a preview. The stored message with the same text takes its place; one that is left over when the
 *    next turn begins goes away.
 * 3. What is still to be sent stands at the end.
 * 4. A request for permission is shown where it was asked, once, and stays there with what became of it.
 * 5. A tool call is shown once, whether it was told live or comes with the message that follows it.
 */

const normalise = (text) => text.replace(/\s+/gu, ' ').trim();

export const createConversation = () => ({
  items: [],
  isWorking: false,
  turnId: undefined,
  detail: undefined,
  nextKey: 1,
});

const touch = (item) => {
  item.version += 1;
  return item;
};

const insert = (conversation, item, index) => {
  const whole = { ...item, key: conversation.nextKey, version: 1 };
  conversation.nextKey += 1;
  conversation.items.splice(index, 0, whole);
  return whole;
};

const endIndex = ({ items }) => {
  const index = items.findIndex(({ kind }) => kind === 'pending');
  return index === -1 ? items.length : index;
};

const add = (conversation, item) => insert(conversation, item, endIndex(conversation));

const remove = (conversation, isGone) => {
  conversation.items = conversation.items.filter((item) => !isGone(item));
};

const drafts = ({ items }) => items.filter(({ kind }) => kind === 'draft');

const openDraft = (conversation, turnId) =>
  drafts(conversation).findLast((draft) => draft.isOpen && draft.turnId === turnId);

const closeDrafts = (conversation) => {
  for (const draft of drafts(conversation)) if (draft.isOpen) Object.assign(touch(draft), { isOpen: false });
};

const findDraft = (conversation, text) => {
  const wanted = normalise(text);
  const all = drafts(conversation);
  const same = all.find((draft) => normalise(draft.text) === wanted);
  // What is known only when it is whole stands at its end: that a file is missing, that it was stopped.
  const begun = all.findLast(({ text: own }) => own.trim() !== '' && wanted.startsWith(normalise(own)));
  if (same !== undefined || begun !== undefined || conversation.isWorking) return same ?? begun;
  // The turn is over and its answer was stored in other words than it was streamed.
  return all.findLast((draft) => !draft.isStopped);
};

const toItem = ({ messageId, role, text, media = [], failed, at }) => ({
  kind: 'message',
  id: messageId,
  role,
  text,
  ...(media.length > 0 && { media }),
  ...(failed && { isError: true }),
  at,
});

const toStep = ({ turnId, callId, name, state, summary }) => ({
  kind: 'tool',
  turnId,
  callId,
  name,
  state,
  summary,
});

const findStep = ({ items }, { turnId, callId }) =>
  items.find((item) => item.kind === 'tool' && item.turnId === turnId && item.callId === callId);

/** Shows those that nobody told live, before what stands at `index`. */
const insertSteps = (conversation, steps, index) => {
  let next = index;
  for (const step of steps) {
    const known = findStep(conversation, step);
    if (known?.state === 'started') Object.assign(touch(known), toStep(step));
    if (known !== undefined) continue;
    insert(conversation, toStep(step), next);
    next += 1;
  }
};

const become = (conversation, item, data) => {
  remove(conversation, (other) => other !== item && other.kind === 'message' && other.id === data.messageId);
  for (const name of Object.keys(item)) if (name !== 'key' && name !== 'version') delete item[name];
  Object.assign(touch(item), toItem(data));
};

const findPending = ({ items }, { messageId, text }) =>
  items.find(({ kind, id }) => kind === 'pending' && id === messageId) ??
  items.find(
    ({ kind, id, state, text: own }) =>
      kind === 'pending' && id === undefined && state === 'sending' && own === text,
  );

const applyMessage = (conversation, data) => {
  if (data.role === 'user') {
    const pending = findPending(conversation, data);
    const isKnown = conversation.items.some(({ kind, id }) => kind === 'message' && id === data.messageId);
    if (pending !== undefined) remove(conversation, (item) => item === pending);
    if (isKnown) return;
    insertSteps(conversation, data.steps ?? [], endIndex(conversation));
    const item = add(conversation, toItem(data));
    // Keeps its node, so that it does not blink.
    if (pending !== undefined) item.key = pending.key;
    return;
  }
  const draft = findDraft(conversation, data.text);
  if (draft !== undefined) {
    insertSteps(conversation, data.steps ?? [], conversation.items.indexOf(draft));
    become(conversation, draft, data);
    return markFailure(conversation, draft);
  }
  if (conversation.items.some(({ kind, id }) => kind === 'message' && id === data.messageId)) return;
  insertSteps(conversation, data.steps ?? [], endIndex(conversation));
  markFailure(conversation, add(conversation, toItem(data)));
};

const applyDelta = (conversation, { turnId, text, reset }) => {
  const draft = openDraft(conversation, turnId);
  if (draft !== undefined) {
    Object.assign(touch(draft), { text: reset ? text : draft.text + text });
  } else if (text !== '') {
    closeDrafts(conversation);
    add(conversation, { kind: 'draft', turnId, text, isOpen: true, isStopped: false });
  }
};

const applyTool = (conversation, { turnId, callId, name, state, summary }) => {
  closeDrafts(conversation);
  const known = findStep(conversation, { turnId, callId });
  if (known === undefined) add(conversation, toStep({ turnId, callId, name, state, summary }));
  else Object.assign(touch(known), { state, summary: summary || known.summary });
};

const applyStatus = (conversation, { state, turnId, stopReason, detail }) => {
  if (state === 'working') {
    if (turnId !== conversation.turnId) {
      remove(conversation, (item) => item.kind === 'draft' && !item.isStopped);
      settleTools(conversation);
    }
    Object.assign(conversation, { isWorking: true, turnId, detail });
    return;
  }
  closeDrafts(conversation);
  if (stopReason === 'cancelled')
    for (const draft of drafts(conversation))
      if (draft.turnId === turnId) Object.assign(touch(draft), { isStopped: true });
  settleTools(conversation);
  Object.assign(conversation, { isWorking: false, turnId: undefined, detail: undefined });
};

/** A tool whose end was not told has ended with its turn all the same. */
const settleTools = ({ items }) => {
  for (const item of items)
    if (item.kind === 'tool' && item.state === 'started') Object.assign(touch(item), { state: 'ended' });
};

/** What a turn failed of is said by its message, which may come before or after. */
const applyError = (conversation, { turnId, message }) => {
  if (turnId === undefined) return add(conversation, { kind: 'notice', text: message });
  conversation.failure = normalise(message);
  const told = conversation.items.findLast(({ role }) => role === 'assistant');
  if (told !== undefined) markFailure(conversation, told);
};

const markFailure = (conversation, item) => {
  if (conversation.failure === undefined || normalise(item.text) !== conversation.failure) return;
  Object.assign(touch(item), { isError: true });
  conversation.failure = undefined;
};

const findPermission = ({ items }, id) => items.find((item) => item.kind === 'permission' && item.id === id);

/** Until the gateway is asked again, the whole time is left. */
const applyRequest = (conversation, data, now) => {
  closeDrafts(conversation);
  if (findPermission(conversation, data.id) !== undefined) return;
  const totalMs = data.expiresAt - data.askedAt;
  add(conversation, {
    ...data,
    kind: 'permission',
    state: 'open',
    isOpen: true,
    totalMs,
    deadline: now + totalMs,
  });
};

const applyResolution = (conversation, { id, outcome, by }) => {
  const item = findPermission(conversation, id);
  if (item !== undefined)
    Object.assign(touch(item), { state: 'over', isOpen: false, outcome, by, problem: '' });
};

/** How it goes with an answer: `sending`, or `open` again with what went wrong. */
export const markPermission = (conversation, id, change) => {
  const item = findPermission(conversation, id);
  if (item !== undefined && item.state !== 'over') Object.assign(touch(item), change);
};

/** What the gateway says is open now; whatever else is shown as open is over, and its end was missed. */
export const settlePermissions = (conversation, pending, now) => {
  for (const item of conversation.items) {
    if (item.kind !== 'permission' || item.state === 'over') continue;
    const left = pending.find(({ id }) => id === item.id)?.remainingMs;
    if (left === undefined) applyResolution(conversation, { id: item.id, outcome: 'timed_out' });
    else Object.assign(item, { deadline: now + left });
  }
};

/** The message of a person that an answer answers; undefined if it cannot be said again, having files. */
export const questionOf = ({ items }, answer) => {
  const before = items.slice(0, items.indexOf(answer));
  const question = before.findLast(({ kind, role }) => kind === 'message' && role === 'user');
  return question?.media === undefined && question?.text ? question : undefined;
};

/** Takes one event of the stream. `now`: by the page's own clock that only grows, in ms. */
export const applyEvent = (conversation, event, data, now = 0) => {
  switch (event) {
    case 'message':
      return applyMessage(conversation, data);
    case 'delta':
      return applyDelta(conversation, data);
    case 'tool':
      return applyTool(conversation, data);
    case 'status':
      return applyStatus(conversation, data);
    case 'error':
      return applyError(conversation, data);
    case 'permission_request':
      return applyRequest(conversation, data, now);
    case 'permission_resolved':
      return applyResolution(conversation, data);
    default:
  }
};

/** Messages of the past, oldest first, before everything that is there; `steps` are the tool calls after them. */
export const prependHistory = (conversation, messages, steps = []) => {
  const known = new Set(conversation.items.map(({ id }) => id));
  const older = messages.filter(({ messageId }) => !known.has(messageId));
  insertSteps(conversation, steps, 0);
  for (const data of older.toReversed()) {
    insert(conversation, toItem(data), 0);
    insertSteps(conversation, data.steps ?? [], 0);
  }
};

export const addPending = (conversation, { clientId, text, files = [] }) =>
  insert(
    conversation,
    { kind: 'pending', clientId, text, ...(files.length > 0 && { files }), state: 'waiting' },
    conversation.items.length,
  );

/** Notes how the sending of a pending message goes: `waiting`, `sending`, `sent` (with its id) or `failed`. */
export const markPending = (conversation, clientId, { state, id, problem }) => {
  const pending = conversation.items.find((item) => item.kind === 'pending' && item.clientId === clientId);
  if (pending === undefined) return;
  const isTold = conversation.items.some((item) => item.kind === 'message' && item.id === id);
  if (state === 'sent' && isTold) remove(conversation, (item) => item === pending);
  else Object.assign(touch(pending), { state, id, problem });
};

export const dropPending = (conversation, clientId) =>
  remove(conversation, (item) => item.kind === 'pending' && item.clientId === clientId);
