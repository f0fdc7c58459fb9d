import { describe, expect, test } from 'vitest'
import { ada, renamed } from '../../../tests/support/people.ts'
import type { Draft } from '../outbox/operation.ts'
import { chooseValue, mergeDraft, typeIntoDraft } from './merge-draft.ts'

const seen = { id: 'a', ...ada }

const createDraft = (fields = renamed('Ada King')): Draft => ({ fields, editing: seen })

describe('a draft', () => {
  test('is the same if nobody else has changed the record, if it was deleted, and for a new record', () => {
    const draft = createDraft()
    expect(mergeDraft(draft, seen)).toEqual({ draft, conflicts: [], updated: [] })
    expect(mergeDraft(draft, undefined)).toEqual({ draft, conflicts: [], updated: [] })
    const newRecord = { fields: ada, editing: null }
    expect(mergeDraft(newRecord, undefined)).toEqual({ draft: newRecord, conflicts: [], updated: [] })
  })

  test('takes others’ values in fields that were not changed, and is then based on them', () => {
    const current = { ...seen, password: 'theirs' }
    expect(mergeDraft(createDraft(), current)).toEqual({
      draft: { fields: { ...ada, eName: 'Ada King', password: 'theirs' }, editing: current },
      conflicts: [],
      updated: ['password'],
    })
  })

  test('keeps its value and its base in a field that both have changed', () => {
    const current = { ...seen, eName: 'Ada Byron', email: 'byron@example.com' }
    expect(mergeDraft(createDraft(), current)).toEqual({
      draft: {
        fields: { ...ada, eName: 'Ada King', email: 'byron@example.com' },
        editing: { ...seen, email: 'byron@example.com' },
      },
      conflicts: [{ name: 'eName', mine: 'Ada King', theirs: 'Ada Byron', choice: undefined }],
      updated: ['email'],
    })
  })

  test('has no conflict where both typed the same, but has one when the other changes it again', () => {
    const draft = createDraft()
    expect(mergeDraft(draft, renamed('Ada King', seen)).conflicts).toEqual([])
    expect(mergeDraft(draft, renamed('Ada Byron', seen)).conflicts).toHaveLength(1)
  })

  test('accepts input in a field that has taken others’ value without a conflict', () => {
    const current = { ...seen, eName: 'Ada Byron', password: 'theirs' }
    const draft = createDraft(ada)
    const shown = mergeDraft(draft, current).draft
    const typed = typeIntoDraft(draft, shown, { ...shown.fields, eName: 'Ada Byron-King' })
    expect(mergeDraft(typed, current)).toEqual({
      draft: { fields: { ...ada, eName: 'Ada Byron-King', password: 'theirs' }, editing: current },
      conflicts: [],
      updated: ['password'],
    })
  })
})

test.each([
  ['mine', 'Ada King'],
  ['theirs', 'Ada Byron'],
] as const)(
  'a decision for %s can be changed, and ends when the other changes the field again',
  (choice, eName) => {
    const current = renamed('Ada Byron', seen)
    const [conflict] = mergeDraft(createDraft(), current).conflicts
    if (!conflict) throw new Error('There is no conflict.')
    const decided = chooseValue(createDraft(), conflict, choice)
    const merged = mergeDraft(decided, current)
    expect(merged.draft).toMatchObject({ fields: { eName }, editing: current })
    expect(merged.conflicts).toEqual([{ ...conflict, choice }])
    const again = mergeDraft(decided, renamed('Countess', seen))
    expect(again.conflicts).toEqual(
      choice === 'theirs' ? [] : [{ name: 'eName', mine: 'Ada King', theirs: 'Countess', choice: undefined }],
    )
  },
)
