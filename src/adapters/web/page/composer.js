/** The field to write in, with its send and stop buttons. */
import { createAttachments } from './attachments.js';
import { createRecorder } from './recorder.js';

/**
 * `onSend(text, files)`, `onStop()`: the latter resolves to false if stopping could not be asked for. `onProblem(text)`:
 * what its user can mend.
 */
export const createComposer = (
  { form, text, send, stop, record, ...files },
  { onSend, onStop, onProblem },
) => {
  const isEmpty = () => text.value.trim() === '' && attachments.isEmpty;
  const adjust = () => {
    send.disabled = isEmpty();
    text.style.height = 'auto';
    text.style.height = `${text.scrollHeight}px`;
  };

  const submit = () => {
    const typed = text.value;
    if (isEmpty()) return;
    text.value = '';
    const taken = attachments.take();
    adjust();
    onSend(typed, taken);
  };

  const attachments = createAttachments({ ...files, text }, { onChange: () => adjust() });

  createRecorder(record, {
    onRecorded: async (file) => {
      await attachments.add([file], { voice: true });
      submit();
    },
    onProblem,
  });

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
    restore: (typed, given = []) => {
      attachments.restore(given);
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
