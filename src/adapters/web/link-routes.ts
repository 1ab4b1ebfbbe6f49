/** Linking a platform to an account by a code, for the command line and for scripts. */
import type { Hono } from 'hono';
import * as z from 'zod';
import type { GatewayServices } from '../../core/services.js';
import type { HttpEnv } from './http-env.js';
import { answerProblem, failed } from './http-problem.js';
import { readJsonBody } from './json-body.js';

const request = z.strictObject({
  phone: z
    .string()
    .regex(/^\d{5,20}$/u)
    .optional(),
  isAgain: z.boolean().default(false),
});

export const addLinkRoutes = (app: Hono<HttpEnv>, services: GatewayServices, maxBodyBytes: number): void => {
  const missing = (platform: string) =>
    failed(
      404,
      'not-found',
      `No platform '${platform}' is on that is linked by a code. Set platforms.${platform}.enabled: true, and start the gateway again.`,
    ).problem;

  app.get('/api/platforms/:platform/link', (context) => {
    const platform = context.req.param('platform');
    const linking = services.linking(platform);
    return linking === undefined ? answerProblem(context, missing(platform)) : context.json(linking.state());
  });

  app.post('/api/platforms/:platform/link', async (context) => {
    const platform = context.req.param('platform');
    const linking = services.linking(platform);
    if (linking === undefined) return answerProblem(context, missing(platform));
    const body = await readJsonBody(context, maxBodyBytes);
    if (!body.ok) return answerProblem(context, body.problem);
    const parsed = request.safeParse(body.value);
    if (!parsed.success) {
      const example = '{"phone": "15550100001", "isAgain": false}';
      return answerProblem(
        context,
        failed(400, 'invalid-request', `Send an object like ${example}; both keys may be left out.`).problem,
      );
    }
    const { phone, isAgain } = parsed.data;
    return context.json(linking.begin({ isAgain, ...(phone !== undefined && { phone }) }));
  });
};
