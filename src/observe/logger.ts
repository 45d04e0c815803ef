import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import { scrub } from '../domain/scrub.ts';

export type LogLevel = 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';

export interface LoggerOptions {
  readonly level: LogLevel;
  /** Where lines go: anything with `write(line)`, standard output for instance. */
  readonly destination: DestinationStream;
}

/**
 * Builds the logger. Each finished line passes `scrub`, because tokens travel in URLs and error
 * messages, where redaction by field name does not look.
 */
export function createLogger(options: LoggerOptions): Logger {
  return pino(
    {
      level: options.level,
      base: null,
      timestamp: stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      hooks: { streamWrite: scrub },
    },
    options.destination,
  );
}
