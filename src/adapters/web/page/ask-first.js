/** Asks before something is done that cannot be undone. */

/** Resolves to whether it is wanted. */
export const createAskFirst = ({ dialog, form, text, yes }) => {
  let resolve = () => {};
  dialog.addEventListener('close', () => resolve(dialog.returnValue === 'yes'));
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    dialog.close(event.submitter?.value ?? 'no');
  });
  return (question, label) => {
    text.textContent = question;
    yes.textContent = label;
    dialog.returnValue = 'no';
    dialog.showModal();
    return new Promise((settle) => {
      resolve = settle;
    });
  };
};
