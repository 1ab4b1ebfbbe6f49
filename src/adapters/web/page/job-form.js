/** Makes or changes a job; says while it is typed when it would run. */
const PREVIEW_DELAY_MS = 350;

const texts = ['name', 'schedule', 'prompt', 'deliver', 'timezone', 'model', 'script', 'workdir'];
const numbers = { repeat: 'repeat', maxSteps: 'max-steps' };

const toNumber = (text) => (text.trim() === '' ? 0 : Number(text));

/** Empty ones are left out of a new job; in a change they take away what was. */
const toRequest = (field, before) => {
  const request = {};
  for (const name of texts) {
    const value = field(name).value.trim();
    const was = before?.[name === 'timezone' ? 'zone' : name] ?? '';
    const isAsked = name === 'schedule' ? value !== '' : before === undefined ? value !== '' : value !== was;
    if (isAsked) request[name] = value;
  }
  for (const [key, name] of Object.entries(numbers)) {
    const value = toNumber(field(name).value);
    if (value !== (before?.[key] ?? 0)) request[key] = value;
  }
  const isScriptOnly = field('no-agent').checked;
  if (isScriptOnly !== (before?.isScriptOnly ?? false)) request.isScriptOnly = isScriptOnly;
  const silence = field('silence').value;
  if (silence !== (before?.silence ?? 'marker')) request.silence = silence;
  const catchUp = field('catch-up').value;
  if (catchUp !== '') request.isCatchingUp = catchUp === 'yes';
  return request;
};

/** `onSaved(answer)`, `onClosed()`. */
export const createJobForm = (
  { form, title, preview, problem, cancel, more, targets },
  api,
  { onSaved, onClosed },
) => {
  let before;
  let timer;
  const field = (name) => form.elements.namedItem(name);

  const close = () => {
    form.hidden = true;
    clearTimeout(timer);
    onClosed();
  };

  const showPreview = async () => {
    const schedule = field('schedule').value.trim();
    if (schedule === '') {
      preview.textContent = '';
      return;
    }
    const zone = field('timezone').value.trim();
    try {
      const { understood, nextRuns, zone: on } = await api.preview(schedule, zone === '' ? undefined : zone);
      if (schedule !== field('schedule').value.trim()) return;
      const zoneWords = understood.includes(on) ? '' : ` (${on})`;
      preview.textContent = `${understood} Next: ${nextRuns.join(', ')}${zoneWords}.`;
      preview.classList.remove('is-bad');
    } catch (error) {
      preview.textContent = error.message;
      preview.classList.add('is-bad');
    }
  };

  const previewSoon = () => {
    clearTimeout(timer);
    timer = setTimeout(showPreview, PREVIEW_DELAY_MS);
  };
  field('schedule').addEventListener('input', previewSoon);
  field('timezone').addEventListener('input', previewSoon);
  cancel.addEventListener('click', close);
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') close();
  });

  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    problem.textContent = '';
    const request = toRequest(field, before);
    form.setAttribute('aria-busy', 'true');
    try {
      const answer = before === undefined ? await api.create(request) : await api.change(before.id, request);
      close();
      onSaved(answer);
    } catch (error) {
      problem.textContent = error.message;
    } finally {
      form.removeAttribute('aria-busy');
    }
  });

  const offerTargets = async () => {
    const names = await api.platforms().catch(() => []);
    targets.replaceChildren(
      ...['local', ...names].map((name) => {
        const option = document.createElement('option');
        option.value = name;
        return option;
      }),
    );
  };

  return {
    /** Without a job: for a new one. */
    open: (job) => {
      before = job;
      form.reset();
      problem.textContent = '';
      preview.textContent = '';
      preview.classList.remove('is-bad');
      title.textContent = job === undefined ? 'New job' : `Change ${job.name}`;
      field('schedule').required = job === undefined;
      field('schedule').placeholder = job === undefined ? 'every weekday at 9am' : `as it is: ${job.words}`;
      if (job !== undefined) {
        for (const name of texts) if (name !== 'schedule') field(name).value = job[name] ?? '';
        field('timezone').value = job.zone;
        field('repeat').value = job.repeat ?? '';
        field('max-steps').value = job.maxSteps ?? '';
        field('no-agent').checked = job.isScriptOnly;
        field('silence').value = job.silence ?? 'marker';
        field('catch-up').value = job.isCatchingUp === undefined ? '' : job.isCatchingUp ? 'yes' : 'no';
      }
      void offerTargets();
      more.open = false;
      form.hidden = false;
      form.scrollIntoView({ block: 'nearest' });
      field('schedule').focus();
    },
  };
};
