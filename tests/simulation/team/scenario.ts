import { storageFaults } from '../browser/indexed-db.ts'
import { Random } from '../engine/random.ts'
import { linkFaults, type RequestKind, requestFaults } from '../network/link.ts'

/** What people do. */
export const userSteps = [
  'add',
  'edit',
  'edit the same record',
  'edit the latest record',
  'delete',
  'delete many',
  'delete again',
  'edit and delete',
  'undo',
  'undo deletes',
  'restore a deleted record',
  'several at once',
  'import',
  'import much',
  'retry',
  'discard',
  'edit an entry',
  'type',
  'begin an edit',
  'submit the form',
  'log out',
  'sign in again',
  'sign in as another',
  'switch accounts',
  'remove a colleague',
  'let a colleague in',
  'end other sessions',
] as const

/** What happens to tabs, machines and the server. */
export const tabSteps = [
  'open a tab',
  'close a tab',
  'reload',
  'reload with a newer build',
  'duplicate a tab',
  'freeze',
  'hide',
  'show',
  'restart the browser',
] as const
export const machineFaults = [
  'page clock jumps',
  'server clock jumps',
  'storage connections closed',
  'storage cleared',
  'cookies cleared',
  'messages late',
  'hidden tabs throttled',
  'a day offline',
] as const
export const serverFaults = [
  'server killed',
  'killed before a commit',
  'killed after a commit',
  'disk full',
  'throttling',
  'connections cut',
] as const

/** What a step may meet. It is counted only. */
export const situations = [
  'undo after a reload',
  'undo of an import',
  'log out with work waiting',
  'restore of a changed record',
  'edited addition of a changed record',
  'frozen after the faults',
] as const
export type Situation = (typeof situations)[number]

export type StepKind =
  | (typeof userSteps)[number]
  | (typeof tabSteps)[number]
  | (typeof requestFaults)[number]
  | (typeof linkFaults)[number]
  | (typeof storageFaults)[number]
  | (typeof machineFaults)[number]
  | (typeof serverFaults)[number]

/** Everything that can happen. */
export const stepKinds: readonly StepKind[] = [
  ...userSteps,
  ...tabSteps,
  ...requestFaults,
  ...linkFaults,
  ...storageFaults,
  ...machineFaults,
  ...serverFaults,
]

export interface Step {
  /** In ms after the start. */
  at: number
  kind: StepKind
  /** Which person, which of their tabs; both modulo their number. */
  who: number
  tab: number
  /** Decides the details. */
  pick: number
  /** How long a fault lasts, in ms. */
  ms: number
  /** Which requests a fault concerns; else `pick` decides. */
  of?: RequestKind
}

/** All that a simulation depends on, beside the code. */
export interface Scenario {
  seed: number
  /** How many tabs each person begins with. */
  tabs: number[]
  steps: Step[]
}

/** How often each kind happens, compared with the others. */
const weights: Partial<Record<StepKind, number>> = {
  add: 8,
  edit: 8,
  'edit the same record': 6,
  'edit the latest record': 10,
  delete: 4,
  undo: 6,
  retry: 6,
  'lost request': 2,
  'lost answer': 3,
  'cut answer': 2,
  'late request': 2.5,
  'late answer': 2,
  'doubled request': 2,
  'foreign answer': 2.5,
  'split answer': 2.5,
  'full storage': 1.5,
  'hanging storage': 2,
  unreachable: 2.5,
  'silent streams': 3,
  'sign in again': 2,
  'remove a colleague': 2.5,
  'let a colleague in': 6,
  reload: 7,
  'restart the browser': 3,
  show: 2,
  'log out': 6,
  'sign in as another': 7,
  'switch accounts': 3,
  'delete again': 2.5,
  'undo deletes': 6,
  'delete many': 2,
  'restore a deleted record': 5,
  'several at once': 2,
  import: 2.5,
  'import much': 0.9,
  'a day offline': 0.7,
  discard: 6,
  'edit an entry': 5,
  type: 2,
  'begin an edit': 6,
  'edit and delete': 5,
  'submit the form': 4,
  'storage cleared': 0.8,
  freeze: 5,
}

type Companion = readonly [
  kind: StepKind,
  from: number,
  to: number,
  by?: 'another' | undefined,
  more?: { leastMs?: number; of?: RequestKind },
]

const write = { of: 'write' } as const

/**
 * What people do a moment before or after something else, with the earliest and the latest moment in ms: by chance alone it would be
 * too rare. What is in one list happens together. A fault lasts `leastMs` at least, and concerns requests `of` a kind.
 */
const companions: Partial<Record<StepKind, readonly (Companion | readonly Companion[])[]>> = {
  add: [
    [
      ['lost answer', -100, -1, undefined, write],
      ['delete again', 300, 3_000, 'another'],
    ],
  ],
  'edit the same record': [
    [
      ['lost answer', -100, -1, undefined, write],
      ['edit the same record', 100, 2_000, 'another'],
      ['edit the same record', 100, 3_000, 'another'],
    ],
    [
      ['late answer', -100, -1, undefined, write],
      ['edit the same record', 100, 2_000, 'another'],
    ],
    // It is edited while it is unknown whether it was saved, and others have replaced it.
    [
      ['lost answer', -100, -1, undefined, write],
      ['offline', 300, 400, undefined, { leastMs: 6_000 }],
      ['edit the same record', 500, 2_000, 'another'],
      ['edit an entry', 2_500, 5_000],
    ],
    // What waits is based on what is undone.
    [
      ['offline', 1_000, 2_000, undefined, { leastMs: 6_000 }],
      ['edit the same record', 2_100, 3_500],
      ['undo', 3_600, 5_500],
    ],
    // The stream lags behind the answers.
    [
      ['split answer', -8_000, -7_000, undefined, { of: 'stream' }],
      ['connections cut', -6_900, -6_000],
      ['edit the same record', -700, -100, 'another'],
      ['edit the same record', 300, 1_500],
    ],
  ],
  'edit the latest record': [
    // The answer is lost between a fast network's answer and a slow one's.
    ...([-1_985, -1_940, -1_850] as const).map((latest, i, all): Companion[] => [
      ['add', -2_000, -2_000, 'another'],
      ['offline', latest, all[i + 1] ?? -1_600, 'another', { leastMs: 4_000 }],
      ['edit an entry', 500, 2_000, 'another'],
    ]),
  ],
  edit: [['undo', 100, 6_000]],
  delete: [
    ['undo', 100, 6_000],
    ['delete', 0, 1_500],
    ['undo deletes', 500, 8_000],
    ['restore a deleted record', 1_000, 8_000],
    [
      ['lost answer', -100, -1, undefined, write],
      ['restore a deleted record', 300, 3_000, 'another'],
    ],
    [
      ['doubled request', 900, 990, 'another', write],
      ['restore a deleted record', 1_000, 1_500, 'another'],
      ['delete', 1_600, 2_500],
    ],
  ],
  'delete many': [['undo', 100, 6_000]],
  import: [
    ['undo', 500, 8_000],
    ['undo', 500, 8_000],
    [
      ['lost answer', -200, -1],
      ['retry', 3_500, 12_000],
      ['retry', 3_500, 12_000],
    ],
  ],
  'import much': [['connections cut', 0, 800]],
  reload: [
    ['edit', -2_000, -300],
    ['edit', -2_000, -300],
    ['undo', 500, 4_000],
    ['undo', 500, 4_000],
  ],
  type: [['submit the form', 100, 3_000]],
  'begin an edit': [
    ['edit and delete', 100, 5_000, 'another'],
    ['edit and delete', 100, 5_000, 'another'],
    ['submit the form', 1_000, 20_000],
    ['submit the form', 5_000, 20_000],
  ],
  'edit and delete': [
    ['edit the same record', -500, 500, 'another'],
    [
      ['begin an edit', -5_000, -100, 'another'],
      ['submit the form', 2_000, 20_000, 'another'],
    ],
  ],
  'log out': [
    ['add', -300, -1],
    ['login page', -1_000, -1],
    ['sign in again', 500, 10_000],
    ['sign in as another', 500, 10_000],
    ['sign in as another', 500, 10_000],
  ],
  // One tab learns that its session has ended, and tries once more, while another tab begins the session of somebody else.
  'switch accounts': [
    [
      ['cookies cleared', -250, -150],
      ['edit', -140, -1],
      ['add', -140, -1],
    ],
  ],
  'remove a colleague': [
    ['let a colleague in', 1_000, 10_000],
    ['let a colleague in', 1_000, 10_000],
  ],
  retry: [
    ['discard', 200, 8_000],
    ['discard', 200, 8_000],
  ],
  throttling: [
    ['add', 0, 1_000],
    ['page clock jumps', 500, 3_000],
  ],
  'disk full': [
    ['add', 0, 500],
    ['discard', 500, 10_000],
    ['edit an entry', 500, 10_000],
  ],
}
/** What happens together is rare already, because none of its kinds may be left out. */
const chanceOf = (together: readonly Companion[]) => (together.length > 1 ? 0.9 : 0.4)
const isCompanion = (together: Companion | readonly Companion[]): together is Companion =>
  typeof together[0] === 'string'

const always: readonly StepKind[] = ['add', 'edit', 'sign in again', 'let a colleague in', 'show']

const minuteMs = 60_000

/** Chooses what happens from a seed. Some kinds are left out each time, because all at once hide one another. */
export function createScenario(seed: number): Scenario {
  const random = new Random(seed, 'scenario')
  // Most teams are small: they find as much, and more of them can be tried.
  const people = random.pick(random.chance(0.95) ? [1, 2, 2, 2, 2, 3] : [4, 5, 6])
  const tabs = Array.from({ length: people }, () => random.pick([1, 1, 1, 2, 2, 3]))
  const share = random.pick([0.1, 0.3, 0.5, 0.8])
  const kinds = stepKinds.filter((kind) => always.includes(kind) || random.chance(share))
  const weighted = kinds.flatMap((kind) => Array<StepKind>(10 * (weights[kind] ?? 1)).fill(kind))
  const count = 7 + random.below(random.pick([10, 26]))
  const durationMs = random.pick([5_000, 20_000, minuteMs, 2 * minuteMs])
  const details = () => ({ pick: random.below(2 ** 31), ms: chooseDuration(random) })
  const steps = Array.from({ length: count }, (): Step[] => {
    const step = {
      at: Math.floor(random.fraction() * durationMs),
      kind: random.pick(weighted),
      who: random.below(people),
      tab: random.below(3),
      ...details(),
    }
    const others = (companions[step.kind] ?? [])
      .map((together) => (isCompanion(together) ? [together] : together))
      .filter((all) => all.every(([kind]) => kinds.includes(kind)) && random.chance(chanceOf(all)))
      .flat()
      .map(([kind, from, to, by, { leastMs = 0, of } = {}]) => {
        const at = Math.max(0, Math.floor(step.at + random.between(from, to)))
        const who = by ? (step.who + 1) % people : step.who
        const { pick, ms } = details()
        return { ...step, kind, at, who, pick, ms: ms + leastMs, ...(of && { of }) }
      })
    return [step, ...others]
  })
  return { seed, tabs, steps: steps.flat().sort((a, b) => a.at - b.at) }
}

const chooseDuration = (random: Random) =>
  Math.floor(random.fraction() * random.pick([500, 2_000, 10_000, 45_000]))
