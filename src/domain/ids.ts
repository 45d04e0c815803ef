import { typeid } from 'typeid-js';

/** A prefixed UUIDv7: sorts by creation, and says what it names. */
export type Id<P extends string> = `${P}_${string}`;
export type NotificationId = Id<'ntf'>;
export type DeliveryId = Id<'dlv'>;
export type AttemptId = Id<'att'>;

/** Makes an id such as `ntf_01jd…`. Not pure (time and randomness): callers at the rim hand ids in. */
export function makeId<P extends 'ntf' | 'dlv' | 'att'>(prefix: P): Id<P> {
  return typeid(prefix).toString() as Id<P>;
}
