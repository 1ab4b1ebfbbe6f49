/** Asks for the gateway's token. The answer is a cookie that scripts cannot read; the token itself is not kept. */
export const createLogin = ({ dialog, form, token, problem }) => {
  // Without a login there is nothing to see behind it.
  dialog.addEventListener('cancel', (event) => event.preventDefault());
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    problem.textContent = '';
    const response = await fetch('/login', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ token: token.value }),
    }).catch(() => undefined);
    if (response?.ok) {
      location.reload();
      return;
    }
    const answer = await response?.json().catch(() => undefined);
    problem.textContent = answer?.error.message ?? 'The gateway does not answer. Try again in a moment.';
  });
  return () => {
    if (!dialog.open) dialog.showModal();
  };
};
