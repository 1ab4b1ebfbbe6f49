/** The field to write in, with its send and stop buttons. */

/** `onSend(text)`, `onStop()`: the latter resolves to false if stopping could not be asked for. */
export const createComposer = ({ form, text, send, stop }, { onSend, onStop }) => {
  const adjust = () => {
    send.disabled = text.value.trim() === '';
    text.style.height = 'auto';
    text.style.height = `${text.scrollHeight}px`;
  };

  const submit = () => {
    const typed = text.value;
    if (typed.trim() === '') return;
    text.value = '';
    adjust();
    onSend(typed);
  };

  text.addEventListener('input', adjust);
  text.addEventListener('keydown', (event) => {
    // While a Chinese or Japanese word is being composed, Enter chooses it. 229 is what Safari says then.
    if (event.key !== 'Enter' || event.shiftKey || event.isComposing || event.keyCode === 229) return;
    event.preventDefault();
    submit();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    submit();
    text.focus();
  });
  stop.addEventListener('click', async () => {
    stop.disabled = true;
    text.focus();
    if (!(await onStop())) stop.disabled = false;
  });
  adjust();

  return {
    focus: () => text.focus(),
    /** Puts a text back that could not be sent. */
    restore: (typed) => {
      text.value = text.value === '' ? typed : `${typed}\n${text.value}`;
      adjust();
      text.focus();
    },
    showWorking: (isWorking) => {
      if (stop.hidden === isWorking) stop.disabled = false;
      stop.hidden = !isWorking;
    },
  };
};
