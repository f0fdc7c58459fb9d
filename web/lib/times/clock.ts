let clockErrorMs = 0

/** The response may have taken this long, in ms. */
const maxDelayMs = 60_000

/** Compares the clock of this machine with the header `date` of a response of the server, which has set all other times. */
export function checkClock(date: string | null): void {
  const errorMs = Date.now() - Date.parse(date ?? '')
  if (!Number.isNaN(errorMs)) clockErrorMs = Math.abs(errorMs) > maxDelayMs ? errorMs : 0
}

/** The time of the server, in ms since 1970. */
export const currentTime = () => Date.now() - clockErrorMs
