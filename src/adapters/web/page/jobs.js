/** The page of scheduled jobs, in place of the conversation while it is open. */
import { createJobCard } from './job-card.js';
import { createJobForm } from './job-form.js';
import { createJobsApi } from './jobs-api.js';

const POLL_MS = 5_000;

const doneWords = {
  run: 'was started',
  pause: 'is paused',
  resume: 'runs again',
  remove: 'was deleted',
};

/** `askFirst(question, label)` resolves to whether a deletion is wanted. */
export const createJobs = (parts, { askFirst, onRefused }) => {
  const { root, list, empty, status, add, link } = parts;
  const api = createJobsApi(onRefused);
  let timer;
  let drawn = '';

  const tell = (text, isBad = false) => {
    status.textContent = text;
    status.classList.toggle('is-bad', isBad);
  };

  /** What somebody has open or is on stays so when the list is drawn anew. */
  const keepState = (draw) => {
    const open = [...list.querySelectorAll('.job')].flatMap((card) =>
      [...card.querySelectorAll(':scope > details')].flatMap((details, index) =>
        details.open ? [`${card.dataset.job} ${index}`] : [],
      ),
    );
    const focused = document.activeElement?.closest?.('.job')?.dataset.job;
    const action = document.activeElement?.dataset?.action;
    draw();
    for (const card of list.querySelectorAll('.job'))
      [...card.querySelectorAll(':scope > details')].forEach((details, index) => {
        if (open.includes(`${card.dataset.job} ${index}`)) details.open = true;
      });
    if (focused === undefined || action === undefined) return;
    const same = [...list.querySelectorAll('.job')].find(({ dataset }) => dataset.job === focused);
    const twin = { pause: 'resume', resume: 'pause' }[action];
    (same?.querySelector(`[data-action=${action}]`) ?? same?.querySelector(`[data-action=${twin}]`))?.focus();
  };

  const draw = (jobs) => {
    // Drawing again what is the same would close what is selected or open.
    const signature = JSON.stringify(jobs);
    if (signature === drawn) return;
    drawn = signature;
    keepState(() => list.replaceChildren(...jobs.map((job) => createJobCard(job, actions))));
    empty.hidden = jobs.length > 0;
  };

  const refresh = async () => {
    clearTimeout(timer);
    if (root.hidden) return;
    try {
      draw(await api.list());
      if (status.dataset.lost !== undefined) tell('');
      delete status.dataset.lost;
    } catch (error) {
      status.dataset.lost = '';
      tell(error.message, true);
    }
    clearTimeout(timer);
    timer = setTimeout(refresh, POLL_MS);
  };

  const actions = {
    act: async (job, name) => {
      if (name === 'remove' && !(await askFirst(`Delete the job “${job.name}” and its history?`, 'Delete')))
        return;
      try {
        const { notes } = await api.act(job.id, name);
        tell([`“${job.name}” ${doneWords[name]}.`, ...notes].join(' '));
      } catch (error) {
        tell(error.message, true);
      }
      await refresh();
      if (name === 'remove') add.focus();
    },
    edit: (job) => form.open(job),
    loadRuns: api.runs,
    loadOutput: api.output,
  };

  const form = createJobForm(parts, api, {
    onSaved: ({ job, notes }) => {
      tell([`“${job.name}” is saved.`, ...notes].join(' '));
      void refresh();
    },
    onClosed: () => add.focus(),
  });
  add.addEventListener('click', () => form.open());
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void refresh();
  });

  return {
    show: (isShown) => {
      root.hidden = !isShown;
      if (isShown) link.setAttribute('aria-current', 'page');
      else link.removeAttribute('aria-current');
      if (isShown) void refresh();
      else clearTimeout(timer);
    },
  };
};
