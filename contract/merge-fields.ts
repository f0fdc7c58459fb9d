import { type EmployeeFields, type FieldName, fieldNames, mapFields } from './employees.ts'

/**
 * Merges an edit with the `current` record, field by field. `seen`: the record as the editor saw it; `fields`: as the editor
 * wants it. A field that the editor has not changed keeps its current value. A field that already has the wanted value is no
 * conflict, so an update can be repeated. `conflicts`: the fields that both have changed differently; they keep the current value.
 */
export function mergeFields(current: EmployeeFields, seen: EmployeeFields, fields: EmployeeFields) {
  const isConflict = (name: FieldName) =>
    fields[name] !== seen[name] && current[name] !== seen[name] && fields[name] !== current[name]
  const merge = (name: FieldName) =>
    fields[name] === seen[name] || isConflict(name) ? current[name] : fields[name]
  return { fields: mapFields(merge), conflicts: fieldNames.filter(isConflict) }
}
