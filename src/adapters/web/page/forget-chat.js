/** Deletes a chat once that is confirmed. `tell(text)` says why it was not. Resolves to whether it is gone. */
export const createForgetChat =
  ({ askFirst, onRefused, tell }) =>
  async (session, title) => {
    if (!(await askFirst(`Delete the chat “${title}” with everything in it?`, 'Delete'))) return false;
    const response = await fetch(`/api/sessions/${session}`, { method: 'DELETE' }).catch(() => undefined);
    if (response?.ok || response?.status === 404) return true;
    if (response?.status === 401) onRefused();
    const answer = await response?.json().catch(() => undefined);
    tell(answer?.error?.message ?? 'The gateway does not answer, so nothing was deleted.');
    return false;
  };
