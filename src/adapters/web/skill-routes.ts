/** The skills there are: for the page, the command line and scripts. */
import type { Hono } from 'hono';
import type { GatewayServices } from '../../core/services.js';
import type { HttpEnv } from './http-env.js';
import { answerProblem, type Checked, failed, passed } from './http-problem.js';

/** Those of a message that there are none of are an error: it would be answered without them, and nobody would know. */
export const checkSkills = async (
  { skills = [], explicitSkill }: { readonly skills?: readonly string[]; readonly explicitSkill?: string },
  services: Pick<GatewayServices, 'skills'>,
): Promise<Checked<void>> => {
  const named = [...skills, ...(explicitSkill === undefined ? [] : [explicitSkill])];
  for (const name of named)
    if ((await services.skills.find(name)) === undefined)
      return failed(
        400,
        'invalid-request',
        `There is no skill '${name}'. GET /api/skills lists those there are.`,
      );
  return passed(undefined);
};

export const addSkillRoutes = (app: Hono<HttpEnv>, services: Pick<GatewayServices, 'skills'>): void => {
  app.get('/api/skills', async (context) => context.json({ skills: await services.skills.list() }));

  app.get('/api/skills/:name', async (context) => {
    const name = context.req.param('name');
    const skill = await services.skills.find(name);
    if (skill !== undefined) return context.json({ skill });
    return answerProblem(context, failed(404, 'not-found', `There is no skill '${name}'.`).problem);
  });
};
