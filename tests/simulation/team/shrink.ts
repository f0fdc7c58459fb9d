import type { Scenario, Step } from './scenario.ts'

/** Returns a scenario with fewer steps, people and tabs that still fails. `fails` runs one. */
export async function shrink(
  scenario: Scenario,
  fails: (scenario: Scenario) => Promise<boolean>,
): Promise<Scenario> {
  let smallest = await removeSteps(scenario, fails)
  smallest = await reduceTabs(smallest, fails)
  return removeSteps(smallest, fails)
}

/** Leaves out ever smaller parts of the steps. */
async function removeSteps(
  scenario: Scenario,
  fails: (scenario: Scenario) => Promise<boolean>,
): Promise<Scenario> {
  let { steps } = scenario
  for (let size = Math.ceil(steps.length / 2); size > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let start = 0; start < steps.length; ) {
      const fewer = steps.toSpliced(start, size)
      if (await fails({ ...scenario, steps: fewer })) steps = fewer
      else start += size
    }
  }
  return { ...scenario, steps }
}

async function reduceTabs(
  scenario: Scenario,
  fails: (scenario: Scenario) => Promise<boolean>,
): Promise<Scenario> {
  let smallest = scenario
  for (let who = scenario.tabs.length - 1; who >= 0; who--) {
    const variants = [
      ...(smallest.tabs.length > 1 ? [withoutPerson(smallest, who)] : []),
      { ...smallest, tabs: smallest.tabs.with(who, 1) },
    ]
    for (const variant of variants)
      if (JSON.stringify(variant) !== JSON.stringify(smallest) && (await fails(variant))) {
        smallest = variant
        break
      }
  }
  return smallest
}

function withoutPerson({ seed, tabs, steps }: Scenario, who: number): Scenario {
  const others = steps.filter((step) => step.who !== who)
  const move = (step: Step): Step => (step.who > who ? { ...step, who: step.who - 1 } : step)
  return { seed, tabs: tabs.toSpliced(who, 1), steps: others.map(move) }
}
