import {
  completeFields,
  type EmployeeFields,
  type FieldName,
  fieldNames,
  fieldOf,
  mergeFields,
  pickNamed,
} from '../../../../contract/employees.ts'
import { type Draft, seeSent } from '../book/operation.ts'

export type Side = 'mine' | 'theirs'

/** A field that the user and somebody else have changed differently. */
export interface FieldConflict {
  name: FieldName
  mine: string
  theirs: string
  /** Undefined until the user has decided. */
  choice: Side | undefined
}

export interface MergedDraft {
  draft: Draft
  conflicts: FieldConflict[]
  /** The fields with somebody else's value. */
  updated: FieldName[]
}

/**
 * Merges a draft with the record as it is now, or as it was last before it was deleted. A field in conflict keeps what was typed,
 * and was seen, until it is decided.
 */
export function mergeDraft(draft: Draft, current = draft.seen): MergedDraft {
  const { fields, typed = {} } = draft
  if (!draft.editing || !current) return { draft, conflicts: [], updated: [] }
  const editing = seeSent(draft.editing, draft.sent, current)
  const merged = mergeFields(current, editing, fields)
  const isUndecided = (name: FieldName) => merged.conflicts.includes(name)

  function findConflict(name: FieldName): FieldConflict | undefined {
    const [mine, theirs, previous] = [fieldOf(fields, name), current?.[name] ?? '', typed[name]]
    if (isUndecided(name)) return { name, mine, theirs, choice: undefined }
    if (previous === undefined || fieldOf(editing, name) !== theirs) return
    return mine === theirs
      ? { name, mine: previous, theirs, choice: 'theirs' }
      : { name, mine, theirs, choice: 'mine' }
  }

  return {
    draft: {
      ...draft,
      fields: { ...completeFields(merged.fields), ...pickNamed(merged.conflicts, fields) },
      editing: { ...current, ...pickNamed(merged.conflicts, editing) },
    },
    conflicts: fieldNames.map(findConflict).filter((conflict) => conflict !== undefined),
    updated: fieldNames.filter((name) => isSame(fields, editing, name) && !isSame(editing, current, name)),
  }
}

/** Decides a conflict. The draft remembers what was typed, so that the user can change the decision. */
export function chooseValue(draft: Draft, { name, mine, theirs }: FieldConflict, choice: Side): Draft {
  const { fields, editing, typed } = draft
  return {
    ...draft,
    fields: { ...fields, [name]: choice === 'mine' ? mine : theirs },
    editing: editing && { ...editing, [name]: theirs },
    typed: { ...typed, [name]: mine },
  }
}

/** Changes the draft to what the user has typed, based on the values that the form has shown. */
export function typeIntoDraft(draft: Draft, shown: Draft, fields: EmployeeFields): Draft {
  const changed = fieldNames.filter((name) => !isSame(fields, shown.fields, name))
  return {
    ...draft,
    fields: { ...draft.fields, ...pickNamed(changed, fields) },
    editing: draft.editing && { ...draft.editing, ...pickNamed(changed, shown.editing ?? draft.editing) },
  }
}

const isSame = (a: EmployeeFields, b: EmployeeFields, name: FieldName) =>
  fieldOf(a, name) === fieldOf(b, name)
