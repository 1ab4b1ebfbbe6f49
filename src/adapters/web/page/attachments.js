/** Files that go with the next message: chosen, pasted or dropped. */
const MAX_FILES = 10;

const readAsBase64 = (file) =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => resolve(reader.result.slice(reader.result.indexOf(',') + 1)));
    reader.addEventListener('error', () => reject(reader.error));
    reader.readAsDataURL(file);
  });

/** `box`: where files may be dropped; `onChange()` is called when a file came or went. */
export const createAttachments = ({ box, list, attach, chooser, text }, { onChange }) => {
  let files = [];

  const draw = () => {
    list.replaceChildren(
      ...files.map((file) => {
        const chip = document.createElement('li');
        const remove = document.createElement('button');
        remove.type = 'button';
        remove.textContent = '×';
        remove.setAttribute('aria-label', `Leave out ${file.name}`);
        remove.addEventListener('click', () => {
          files = files.filter((other) => other !== file);
          draw();
          text.focus();
        });
        chip.append(file.name, remove);
        return chip;
      }),
    );
    list.hidden = files.length === 0;
    onChange();
  };

  /** `more`: what is to be said of them besides. */
  const add = async (given, more = {}) => {
    const chosen = [...given].slice(0, MAX_FILES - files.length);
    const read = chosen.map(async (file) => ({
      name: file.name || 'file',
      type: file.type,
      data: await readAsBase64(file),
      ...more,
    }));
    for (const outcome of await Promise.allSettled(read))
      if (outcome.status === 'fulfilled' && outcome.value.data !== '') files.push(outcome.value);
    draw();
  };

  attach.addEventListener('click', () => chooser.click());
  chooser.addEventListener('change', () => {
    void add(chooser.files);
    chooser.value = '';
    text.focus();
  });
  text.addEventListener('paste', (event) => {
    if (event.clipboardData.files.length === 0) return;
    event.preventDefault();
    void add(event.clipboardData.files);
  });
  box.addEventListener('dragover', (event) => {
    if (!event.dataTransfer.types.includes('Files')) return;
    event.preventDefault();
    box.classList.add('is-target');
  });
  box.addEventListener('dragleave', () => box.classList.remove('is-target'));
  box.addEventListener('drop', (event) => {
    box.classList.remove('is-target');
    if (event.dataTransfer.files.length === 0) return;
    event.preventDefault();
    void add(event.dataTransfer.files);
  });

  return {
    add,
    get isEmpty() {
      return files.length === 0;
    },
    /** The files, which are then no longer here. */
    take: () => {
      const taken = files;
      files = [];
      draw();
      return taken;
    },
    restore: (given) => {
      files = [...given, ...files].slice(0, MAX_FILES);
      draw();
    },
  };
};
