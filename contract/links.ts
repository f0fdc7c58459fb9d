const hourMs = 60 * 60_000
const dayMs = 24 * hourMs

/** How long a one-time link can be used, in ms. */
export const linkTtlMs = { invitation: 7 * dayMs, reset: hourMs, handover: 7 * dayMs }

/** After how many hours a hand-over may end. */
export const handoverHours = [1, 24, 7 * 24] as const

export type HandoverHours = (typeof handoverHours)[number]

/** When a hand-over that is made now ends, in ms since 1970. */
export const endOfHandover = (now: number, hours?: HandoverHours): number =>
  now + (hours === undefined ? linkTtlMs.handover : hours * hourMs)

/** Limits the invitations that are neither used nor expired, and the hand-overs. */
export const maxOpenLinks = { perAccount: 20, total: 200 }

/** The same for the links of sheets, which are counted apart. `bytes`: the size of what is sealed. */
export const maxSheetLinks = { perAccount: 1_000, total: 2_000, bytes: 16 * 2 ** 20 }

/** How long whoever has opened a hand-over may repeat that, if the response was lost, in ms. */
export const takeRepeatMs = 10 * 60_000
