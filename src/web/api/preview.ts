import { AlertcardError } from '../../domain/errors.ts';
import type { PreviewInput } from '../../domain/preview.ts';
import type { WebDeps } from '../ports.ts';
import { PreviewAnswer, PreviewBody } from './action-schemas.ts';
import { type ApiRoute, route } from './route.ts';

export function previewRoutes({ preview, store }: Pick<WebDeps, 'preview' | 'store'>): ApiRoute[] {
  return [
    route({
      method: 'POST',
      path: '/api/preview',
      summary: 'Template and payload, or an accepted notification, to the exact message, nothing sent',
      body: PreviewBody,
      answer: PreviewAnswer,
      problems: ['not_found'],
      handle: async ({ body: { template, provider, payload, notification_id: id } }) => {
        const content = id === undefined ? { payload: payload ?? '' } : await storedPayload(store, id);
        const messages = await preview({ template, provider, ...content });
        return { items: messages.map((item) => ({ ...item, warnings: [...item.warnings] })) };
      },
    }),
  ];
}

async function storedPayload(
  store: WebDeps['store'],
  id: string,
): Promise<Pick<PreviewInput, 'payload' | 'stored'>> {
  const kept = await store.body(id);
  if (kept === undefined)
    throw new AlertcardError('not_found', 'No body is kept under this id: it is unknown or pruned.');
  const { body, source, format } = kept;
  return { payload: Buffer.from(body).toString('utf8'), stored: { source, format } };
}
