import { AlertcardError } from '../../domain/errors.ts';
import type { WebDeps } from '../ports.ts';
import { Done } from './action-schemas.ts';
import { type ApiRoute, route } from './route.ts';
import { DeliveriesQuery, DeliveryDetail, DeliveryPage, IdParams } from './schemas.ts';
import { attemptView, deliveryView } from './views.ts';

type DeliveryDeps = Pick<WebDeps, 'store' | 'engine'>;

export function deliveryRoutes(deps: DeliveryDeps): ApiRoute[] {
  return [...readRoutes(deps), actRoute(deps, 'replay'), actRoute(deps, 'discard')];
}

function readRoutes({ store }: DeliveryDeps): ApiRoute[] {
  return [
    route({
      method: 'GET',
      path: '/api/deliveries',
      summary: 'Deliveries, newest first',
      query: DeliveriesQuery,
      answer: DeliveryPage,
      handle: async ({ query: { limit, cursor, state, channel } }) => {
        const page = await store.deliveries({
          limit,
          ...(cursor === undefined ? {} : { cursor }),
          ...(state === undefined ? {} : { state }),
          ...(channel === undefined ? {} : { channel }),
        });
        return { items: page.items.map(deliveryView), next: page.next };
      },
    }),
    route({
      method: 'GET',
      path: '/api/deliveries/{id}',
      summary: 'One delivery with its attempts',
      params: IdParams,
      answer: DeliveryDetail,
      problems: ['not_found'],
      handle: async ({ params: { id } }) => {
        const found = await store.delivery(id);
        if (found === undefined) throw unknownDelivery();
        return { ...deliveryView(found), attempt_records: found.attemptRecords.map(attemptView) };
      },
    }),
  ];
}

const SUMMARIES = {
  replay: 'Make a dead letter due again',
  discard: 'End a delivery: dead, reason discarded',
} as const;

function actRoute({ store, engine }: DeliveryDeps, kind: 'replay' | 'discard'): ApiRoute {
  return route({
    method: 'POST',
    path: `/api/deliveries/{id}/${kind}`,
    summary: SUMMARIES[kind],
    params: IdParams,
    answer: Done,
    problems: ['not_found', 'wrong_state'],
    handle: async ({ params: { id } }) => {
      const result = await store.act({ kind, deliveryId: id });
      if (result.kind === 'not_found') throw unknownDelivery();
      if (result.kind === 'wrong_state') {
        throw new AlertcardError('wrong_state', `Cannot ${kind} a delivery that is ${result.state}.`);
      }
      engine.wake(result.channel);
      return { channel: result.channel };
    },
  });
}

function unknownDelivery(): AlertcardError {
  return new AlertcardError('not_found', 'No delivery has this id: it is unknown or pruned.');
}
