/** What the gateway knows of scheduled jobs. Rejects with an Error whose message is for people. */
const explain = async (response) => {
  const answer = await response.json().catch(() => undefined);
  return answer?.error?.message ?? `The gateway answered ${response.status}. Try again in a moment.`;
};

const ask = async (path, onRefused, body) => {
  const options =
    body === undefined
      ? { cache: 'no-store' }
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const response = await fetch(path, options).catch(() => {
    throw new Error('The gateway does not answer. Try again in a moment.');
  });
  if (response.status === 401) onRefused();
  if (!response.ok) throw new Error(await explain(response));
  return response.json();
};

const pathOf = (id) => `/api/jobs/${encodeURIComponent(id)}`;

/** `onRefused()`: a login is needed. */
export const createJobsApi = (onRefused) => ({
  platforms: async () => (await ask('/health', onRefused)).adapters.map(({ platform }) => platform),
  list: async () => (await ask('/api/jobs', onRefused)).jobs,
  create: (request) => ask('/api/jobs', onRefused, request),
  change: (id, request) => ask(pathOf(id), onRefused, request),
  act: (id, action) => ask(`${pathOf(id)}/${action}`, onRefused, {}),
  preview: (schedule, timezone) => ask('/api/jobs-preview', onRefused, { schedule, timezone }),
  runs: async (id) => (await ask(`/api/runs?limit=20&job=${encodeURIComponent(id)}`, onRefused)).runs,
  output: async (run) => (await ask(`/api/runs/${encodeURIComponent(run)}/output`, onRefused)).text,
});
