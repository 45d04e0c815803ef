import { sendProblem } from '../answers.ts';
import type { WebDeps } from '../ports.ts';
import { ReloadAnswer } from './action-schemas.ts';
import { type ApiRoute, route } from './route.ts';

export function reloadRoutes({ reload }: Pick<WebDeps, 'reload'>): ApiRoute[] {
  return [
    route({
      method: 'POST',
      path: '/api/reload',
      summary: 'Read configuration, templates and secret files anew; a bad one changes nothing',
      answer: ReloadAnswer,
      handle: async (_input, reply) => {
        const result = await reload();
        if (result.ok) return { warnings: [...result.warnings] };
        return sendProblem(reply, 'bad_request', 'Nothing was changed: correct the problems and try again.', {
          problems: result.problems,
        });
      },
    }),
  ];
}
