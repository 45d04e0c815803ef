import { TestAnswer } from './api-answers.ts';
import { type ClientOptions, openApi } from './api-client.ts';
import type { CommandContext } from './context.ts';
import { EXIT } from './exit-codes.ts';
import { json } from './table.ts';

/** Sends a test card to a channel through the running server and tells what the robot said. */
export async function testChannel(
  context: CommandContext,
  options: ClientOptions & { readonly json: boolean },
  channel: string,
  payload: string | undefined,
): Promise<number> {
  const api = await openApi(context, options);
  const path = `/api/channels/${encodeURIComponent(channel)}/test`;
  const answer = await api.post(path, TestAnswer, payload === undefined ? undefined : { payload });
  context.stdout.write(
    options.json ? json(answer) : `${answer.channel}: ${answer.outcome} (${answer.notification_id})\n`,
  );
  return EXIT.ok;
}
