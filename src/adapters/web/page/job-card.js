/** One job as it stands in the list. Text is set, never parsed. */
import { renderMarkdown } from './markdown.js';

const element = (name, className, text) => {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
};

const deliveryWords = {
  none: '',
  pending: ', being delivered',
  sent: ', delivered',
  failed: ', not delivered',
  unknown: ', unknown whether delivered',
};

const runWords = ({ state, outcome, delivery }) => {
  if (state !== 'ended') return 'running';
  if (outcome === 'ok' && delivery === 'none') return 'ok, kept';
  return `${outcome ?? 'over'}${deliveryWords[delivery] ?? ''}`;
};

const toneOf = ({ state, outcome, delivery }) => {
  if (state !== 'ended') return 'running';
  if (outcome === 'failed' || outcome === 'interrupted' || delivery === 'failed') return 'bad';
  return outcome === 'ok' || outcome === 'silent' ? 'good' : 'soft';
};

const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' });

const button = (text, name, onPress, className = '') => {
  const made = element('button', className, text);
  made.type = 'button';
  made.dataset.action = name;
  made.addEventListener('click', onPress);
  return made;
};

const row = (term, ...contents) => {
  const detail = element('dd', '');
  detail.append(...contents);
  return [element('dt', '', term), detail];
};

const resultOf = (run) => {
  const mark = element('span', `result is-${toneOf(run)}`, runWords(run));
  const time = element('time', '', when.format(run.startedAt));
  time.dateTime = new Date(run.startedAt).toISOString();
  const line = element('span', 'result-line');
  line.append(mark, ' ', time);
  if (run.error !== undefined) line.append(element('span', 'result-error', run.error));
  else if (run.delivery === 'failed' && run.deliveryDetail !== undefined)
    line.append(element('span', 'result-error', run.deliveryDetail));
  return line;
};

const outputOf = (run, { loadOutput }) => {
  const details = element('details', 'run-output');
  details.append(element('summary', '', 'Output'));
  details.addEventListener('toggle', async () => {
    if (!details.open || details.children.length > 1) return;
    const body = element('div', 'body prose', 'Loading…');
    details.append(body);
    try {
      body.replaceChildren(renderMarkdown(await loadOutput(run.id)));
    } catch (error) {
      body.textContent = error.message;
    }
  });
  return details;
};

const historyOf = (job, actions) => {
  const details = element('details', 'job-history');
  details.append(element('summary', '', 'History'));
  details.addEventListener('toggle', async () => {
    details.querySelector('ol, p')?.remove();
    if (!details.open) return;
    try {
      const runs = await actions.loadRuns(job.id);
      const list = element('ol', '');
      for (const run of runs) {
        const item = element('li', '');
        item.append(resultOf(run));
        if (run.output !== undefined) item.append(outputOf(run, actions));
        list.append(item);
      }
      details.append(runs.length === 0 ? element('p', '', 'It never ran.') : list);
    } catch (error) {
      details.append(element('p', '', error.message));
    }
  });
  return details;
};

const stateOf = ({ isEnabled, nextAt, lastRun }) => {
  if (lastRun !== undefined && lastRun.state !== 'ended') return 'running';
  if (isEnabled) return 'scheduled';
  return nextAt === undefined ? 'over' : 'paused';
};

const nextRunsOf = ({ nextRuns, zone }) => {
  const list = element('ol', 'next-runs');
  list.append(...nextRuns.map((text) => element('li', '', text)));
  return [list, element('span', 'zone', zone)];
};

const promptOf = ({ prompt }) => {
  const details = element('details', 'job-prompt');
  details.append(element('summary', '', 'Prompt'), element('p', '', prompt));
  return details;
};

/** `actions`: act(job, name), edit(job), loadRuns(id), loadOutput(run). */
export const createJobCard = (job, actions) => {
  const card = element('li', `job is-${stateOf(job)}`);
  card.dataset.job = job.id;
  const heading = element('h3', '', job.name);
  const head = element('div', 'job-head');
  head.append(heading, element('span', 'job-state', stateOf(job)));
  const facts = element('dl', 'job-facts');
  facts.append(...row('When', job.words), ...row('Result to', job.deliver));
  if (job.nextRuns.length > 0) facts.append(...row('Next', ...nextRunsOf(job)));
  facts.append(...row('Last run', job.lastRun === undefined ? 'never' : resultOf(job.lastRun)));
  if (job.script !== undefined)
    facts.append(...row('Script', job.isScriptOnly ? `${job.script}, without a model` : job.script));
  if (job.workdir !== undefined) facts.append(...row('Folder', job.workdir));
  if (job.model !== undefined) facts.append(...row('Model', job.model));
  const act = (name) => () => actions.act(job, name);
  const buttons = element('div', 'job-actions');
  buttons.setAttribute('role', 'group');
  buttons.setAttribute('aria-label', `What to do with ${job.name}`);
  buttons.append(
    button('Run now', 'run', act('run')),
    job.isEnabled ? button('Pause', 'pause', act('pause')) : button('Resume', 'resume', act('resume')),
    button('Edit', 'edit', () => actions.edit(job)),
    button('Delete', 'remove', act('remove'), 'is-bad'),
  );
  card.append(head, facts);
  if (job.prompt !== '') card.append(promptOf(job));
  if (job.lastRun?.output !== undefined && job.lastRun.state === 'ended') {
    const output = outputOf(job.lastRun, actions);
    output.querySelector('summary').textContent = 'Last output';
    card.append(output);
  }
  card.append(historyOf(job, actions), buttons);
  return card;
};
