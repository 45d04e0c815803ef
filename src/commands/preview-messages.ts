import type { PreviewedMessage } from '../domain/preview.ts';
import type { ProviderName } from '../domain/settings.ts';
import { PreviewAnswer } from './api-answers.ts';
import { type ClientOptions, openApi } from './api-client.ts';
import { need } from './arguments.ts';
import type { CommandContext } from './context.ts';
import { UsageError } from './exit-codes.ts';

/** What is to be previewed: a file, or by its id a notification that the running server has accepted. */
export interface PreviewRequest extends ClientOptions {
  readonly template: string;
  readonly provider: ProviderName | undefined;
  readonly payload: string | undefined;
  readonly notification: string | undefined;
}

/** The messages a template makes: of a file without a server, of a notification by asking the server. */
export async function previewMessages(
  context: CommandContext,
  request: PreviewRequest,
): Promise<readonly PreviewedMessage[]> {
  const { template, provider, payload, notification } = request;
  if (notification !== undefined) {
    if (payload !== undefined) throw new UsageError('--payload and --notification exclude each other');
    const api = await openApi(context, request);
    const body = { template, notification_id: notification, ...(provider === undefined ? {} : { provider }) };
    return (await api.post('/api/preview', PreviewAnswer, body)).items;
  }
  const text = Buffer.from(await context.readFile(need(payload, 'payload'))).toString('utf8');
  const { settings } = await context.loadSettings({ file: request.config, purpose: 'read' });
  return context.app.preview(settings, { template, provider, payload: text });
}
