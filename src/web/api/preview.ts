import type { WebDeps } from '../ports.ts';
import { PreviewAnswer, PreviewBody } from './action-schemas.ts';
import { type ApiRoute, route } from './route.ts';

export function previewRoutes({ preview }: Pick<WebDeps, 'preview'>): ApiRoute[] {
  return [
    route({
      method: 'POST',
      path: '/api/preview',
      summary: 'Template and payload to the exact message, nothing sent',
      body: PreviewBody,
      answer: PreviewAnswer,
      handle: async ({ body: { template, provider, payload } }) => {
        const messages = await preview({ template, provider, payload });
        return { items: messages.map((item) => ({ ...item, warnings: [...item.warnings] })) };
      },
    }),
  ];
}
