import { type DestinationStream, type Logger, pino } from 'pino'

/**
 * One line of JSON for each event worth keeping. It stands beside the framework and not in it: a logger of its own for
 * every request, most of which have nothing to say, would cost a tenth of the shortest answers.
 */
export type Log = Pick<Logger, 'fatal' | 'error' | 'warn' | 'info'>

export function createLog(level: string, stream: DestinationStream): Log {
  return pino({ level }, stream)
}

export const silence: Log = { fatal() {}, error() {}, warn() {}, info() {} }
