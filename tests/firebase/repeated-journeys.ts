import { sample } from '../support/sample.ts'

/** What differs little between the backends, by file and by tag, in two parts. The states of the specification are always repeated. */
export const parts = [
  ['e2e/emergency.spec', 'e2e/languages.spec'],
  ['@spec-2', '@spec-3', '@spec-5', '@spec-8'],
]

/** The files and tags of tests/e2e that a run of all tests does not repeat on Firebase on this day. */
export function listUnrepeatedJourneys(): string[] {
  return parts.flatMap((part) => {
    const chosen = sample(part, 1)
    return part.filter((one) => !chosen.includes(one))
  })
}
