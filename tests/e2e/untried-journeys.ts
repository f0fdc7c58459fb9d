import { sample } from '../support/sample.ts'

/** Titles of journeys that are cases of one another: how many of them a day tries. What could lose a change is tried each day. */
export const matrices: [count: number, titles: string[]][] = [
  // The environment of the page.
  [
    2,
    [
      'an extension that inserts',
      'a clock that is',
      'holds the event stream back',
      'in a browser that speaks',
      'at 400 % zoom',
      'with forced colours',
      'nothing is loaded in advance',
    ],
  ],
  // What a file of the command shows.
  [
    1,
    [
      'that was cut or changed',
      'the browser translates it',
      'has no accessibility violation',
      'with many records',
    ],
  ],
  // The demo, whose data never leaves the tab.
  [
    1,
    [
      'has the routes of the specification',
      'any other path leads to /',
      'a colleague adds and edits',
      'its scripts are not larger',
    ],
  ],
  // The part of the page that can't be loaded.
  [
    1,
    [
      'a part of the page that cannot be loaded',
      '/form shows a message',
      'the screen of a link can be loaded',
    ],
  ],
]

/** The journeys of tests/e2e that a run of all tests leaves out on this day, by parts of their titles. */
export function listUntriedJourneys(): string[] {
  return matrices.flatMap(([count, titles]) => {
    const chosen = sample(titles, count, { salt: titles.join() })
    return titles.filter((title) => !chosen.includes(title))
  })
}

const engines = ['tests/engines/firefox.test.ts', 'tests/engines/webkit.test.ts']

/** The browsers beside Chromium, which have the same journey, that a run of all tests leaves out on this day, by file. */
export function listUntriedEngines(): string[] {
  const chosen = sample(engines, 1, { salt: 'engines' })
  return engines.filter((file) => !chosen.includes(file))
}
