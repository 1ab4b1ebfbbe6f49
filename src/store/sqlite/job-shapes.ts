/** Jobs and runs as stored. */
import * as z from 'zod';
import { type Job, type JobRun, silencePolicies } from '../../core/job.js';
import { origin } from './stored-shapes.js';

const schedule = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('cron'), expression: z.string() }),
  z.object({ kind: z.literal('every'), everyMs: z.number(), anchorAt: z.number() }),
  z.object({ kind: z.literal('once'), at: z.number() }),
]);

export const jobShape: z.ZodType<Job> = z.object({
  id: z.string(),
  name: z.string(),
  schedule,
  display: z.string(),
  zone: z.string(),
  prompt: z.string(),
  skills: z.array(z.string()),
  script: z.string().exactOptional(),
  deliver: z.string(),
  model: z.string().exactOptional(),
  maxSteps: z.number().exactOptional(),
  workdir: z.string().exactOptional(),
  isCatchingUp: z.boolean().exactOptional(),
  silence: z.enum(silencePolicies).exactOptional(),
  origin: origin.exactOptional(),
  isScriptOnly: z.boolean(),
  repeat: z.number().exactOptional(),
  createdAt: z.number(),
  isEnabled: z.boolean(),
  nextAt: z.number().exactOptional(),
  begun: z.number(),
  lostTargets: z.array(z.string()),
  revision: z.number(),
});

export const runShape: z.ZodType<JobRun> = z.object({
  id: z.string(),
  job: z.string(),
  jobName: z.string(),
  trigger: z.enum(['schedule', 'manual']),
  dueAt: z.number(),
  startedAt: z.number(),
  state: z.enum(['claimed', 'preparing', 'asked', 'concluding', 'ended']),
  attempts: z.number(),
  question: z.string().exactOptional(),
  answer: z.string().exactOptional(),
  scriptError: z.string().exactOptional(),
  outcome: z.enum(['ok', 'silent', 'failed', 'interrupted', 'missed', 'skipped']).exactOptional(),
  error: z.string().exactOptional(),
  delivery: z.enum(['none', 'pending', 'sent', 'failed', 'unknown']),
  deliveryDetail: z.string().exactOptional(),
  endedAt: z.number().exactOptional(),
  output: z.string().exactOptional(),
  lease: z.object({ owner: z.string(), expiresAt: z.number() }),
});
