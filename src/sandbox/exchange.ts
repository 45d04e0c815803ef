/** A robot's platform, by name. The sandbox knows nothing of the code it is the other side of. */
export type Platform = 'dingtalk' | 'feishu';

/** How one robot is set up in its chat room. */
export interface RobotRules {
  /** Signature demanded when not empty. */
  readonly secret?: string;
  /** Word that every message must hold when not empty. */
  readonly keyword?: string;
}

/** A request as it reached a robot. */
export interface Incoming {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** The exact bytes. */
  readonly body: Buffer;
  /** Epoch ms of the robot's clock. */
  readonly at: number;
}

/** What the robot made of a request. */
export interface Ruling {
  /** Answered with HTTP 200, always: the vendors' robots say it in the body. */
  readonly json: Readonly<Record<string, unknown>>;
  /** The platform's own code; 0 when the message is shown in the room. */
  readonly code: number;
  /** Ids the message mentions with effect; `all` for everyone. */
  readonly mentions: readonly string[];
}

/** One message as a robot received it. */
export interface Received {
  readonly platform: Platform;
  /** The token of the robot. */
  readonly robot: string;
  readonly at: number;
  /** The parsed body, undefined when it was no JSON. */
  readonly json: unknown;
  readonly bytes: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  /** True when the message is in the room, whatever was answered. */
  readonly isShown: boolean;
  /** The robot's own code; undefined when a script answered instead. */
  readonly code: number | undefined;
  readonly mentions: readonly string[];
}

/** Parses JSON; undefined for anything that is none. */
export function parseJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

/** The value as an object with string keys; undefined for anything else. */
export function asObject(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value))
    : undefined;
}

/** Every string under the given keys, however deep. */
export function textsUnder(value: unknown, keys: ReadonlySet<string>): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((item) => textsUnder(item, keys));
  const object = asObject(value);
  if (object === undefined) return [];
  return Object.entries(object).flatMap(([key, item]) =>
    typeof item === 'string' ? (keys.has(key) ? [item] : []) : textsUnder(item, keys),
  );
}
