/** Scheduled jobs, for the command line and for scripts. */
import type { Context, Hono } from 'hono';
import * as z from 'zod';
import { silencePolicies } from '../../core/job.js';
import type { JobAnswer } from '../../core/job-service.js';
import type { GatewayServices } from '../../core/services.js';
import type { HttpEnv } from './http-env.js';
import { answerProblem, type Checked, failed, passed } from './http-problem.js';
import { readJsonBody } from './json-body.js';

const request = z.strictObject({
  name: z.string().optional(),
  schedule: z.string().optional(),
  prompt: z.string().optional(),
  deliver: z.string().optional(),
  skills: z.array(z.string()).optional(),
  script: z.string().optional(),
  timezone: z.string().optional(),
  model: z.string().optional(),
  isScriptOnly: z.boolean().optional(),
  repeat: z.int().min(0).optional(),
  maxSteps: z.int().min(0).optional(),
  workdir: z.string().optional(),
  isCatchingUp: z.boolean().optional(),
  silence: z.enum(silencePolicies).optional(),
});

const previewRequest = z.strictObject({ schedule: z.string(), timezone: z.string().optional() });

const statuses = { invalid: 400, 'not-found': 404, conflict: 409 } as const;
const codes = { invalid: 'invalid-request', 'not-found': 'not-found', conflict: 'conflict' } as const;

const tell = (context: Context, answer: JobAnswer) =>
  answer.ok
    ? context.json({ job: answer.job, notes: answer.notes })
    : answerProblem(context, failed(statuses[answer.reason], codes[answer.reason], answer.problem).problem);

const MAX_RUNS = 1_000;

export const addJobRoutes = (app: Hono<HttpEnv>, { jobs }: GatewayServices, maxBodyBytes: number): void => {
  const readAs = async <Value>(
    context: Context<HttpEnv>,
    shape: z.ZodType<Value>,
  ): Promise<Checked<Value>> => {
    const body = await readJsonBody(context, maxBodyBytes);
    if (!body.ok) return body;
    const parsed = shape.safeParse(body.value);
    return parsed.success
      ? passed(parsed.data)
      : failed(400, 'invalid-request', z.prettifyError(parsed.error));
  };
  const read = (context: Context<HttpEnv>) => readAs(context, request);
  const limitOf = (text: string | undefined): number =>
    Math.min(MAX_RUNS, Math.max(1, Number.parseInt(text ?? '20', 10) || 20));

  app.get('/api/jobs', async (context) => context.json({ jobs: await jobs.list() }));
  app.post('/api/jobs', async (context) => {
    const body = await read(context);
    return body.ok ? tell(context, await jobs.create(body.value)) : answerProblem(context, body.problem);
  });
  app.get('/api/runs', async (context) => {
    const limit = limitOf(context.req.query('limit'));
    return context.json({ runs: await jobs.runs(context.req.query('job'), limit) });
  });
  app.get('/api/runs/:run/output', async (context) => {
    const text = await jobs.output(context.req.param('run'));
    if (text === undefined)
      return answerProblem(
        context,
        failed(404, 'not-found', 'Nothing that this run said is kept (any more).').problem,
      );
    return context.json({ text });
  });
  app.post('/api/jobs-preview', async (context) => {
    const body = await readAs(context, previewRequest);
    if (!body.ok) return answerProblem(context, body.problem);
    const preview = jobs.preview(body.value.schedule, body.value.timezone);
    return preview.ok
      ? context.json(preview)
      : answerProblem(context, failed(400, 'invalid-request', preview.problem).problem);
  });
  app.post('/api/jobs-tick', async (context) => context.json({ begun: await jobs.tick() }));
  app.get('/api/jobs/:name', async (context) => tell(context, await jobs.find(context.req.param('name'))));
  app.post('/api/jobs/:name', async (context) => {
    const body = await read(context);
    if (!body.ok) return answerProblem(context, body.problem);
    return tell(context, await jobs.update(context.req.param('name'), body.value));
  });
  for (const action of ['pause', 'resume', 'run', 'remove'] as const)
    app.post(`/api/jobs/:name/${action}`, async (context) =>
      tell(context, await jobs.act(context.req.param('name'), action)),
    );
};
