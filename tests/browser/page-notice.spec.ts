import { AxeBuilder } from '@axe-core/playwright'
import { expect, row, test } from './fixture.ts'
import { addMany, people } from './people.ts'

test('axe: the notice with Undo has no violation: light, dark, high contrast', async ({ register }) => {
  await addMany(register, people(30))
  await register.setViewportSize({ width: 320, height: 700 })
  await row(register, 'Person 20').scrollIntoViewIfNeeded()
  await register.getByRole('button', { name: 'Delete Person 20', exact: true }).click()
  await expect(register.getByRole('status').last()).toContainText('Deleted Person 20')
  for (const look of [
    { colorScheme: 'light' },
    { colorScheme: 'dark' },
    { colorScheme: 'light', forcedColors: 'active' },
  ] as const) {
    await register.emulateMedia({ reducedMotion: 'reduce', ...look })
    const { violations } = await new AxeBuilder({ page: register }).analyze()
    expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([])
  }
})
