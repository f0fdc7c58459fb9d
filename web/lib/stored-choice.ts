import { useLocalStorage, writeLocalStorage } from './stored-state.ts'

/** A choice that this browser remembers for the person, one of a few words; anything else counts as the first. */
export interface StoredChoice<T extends string> {
  key: string
  options: readonly [T, ...T[]]
}

export function readStoredChoice<T extends string>(choice: StoredChoice<T>): T {
  return parseChoice(localStorage.getItem(choice.key), choice)
}

/** The choice as it is kept, also when another tab changes it, and a way to change it. */
export function useStoredChoice<T extends string>(choice: StoredChoice<T>): [T, (chosen: T) => void] {
  const chosen = parseChoice(useLocalStorage(choice.key), choice)
  return [chosen, (next) => writeLocalStorage(choice.key, next === choice.options[0] ? null : next)]
}

function parseChoice<T extends string>(stored: string | null, { options }: StoredChoice<T>): T {
  return options.find((option) => option === stored) ?? options[0]
}
