import { type DestinationStream, type Logger as PinoLogger, pino } from 'pino'

/**
 * One line of JSON for each event worth keeping. It stands beside the framework and not in it: a logger of its own for
 * every request, most of which have nothing to say, would cost a tenth of the shortest answers.
 */
export type Logger = Pick<PinoLogger, 'fatal' | 'error' | 'warn' | 'info'>

export function createLogger(level: string, stream: DestinationStream): Logger {
  return pino({ level }, stream)
}

export const silentLogger: Logger = { fatal() {}, error() {}, warn() {}, info() {} }
