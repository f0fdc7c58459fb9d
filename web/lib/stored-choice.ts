import { useLocalStorage, writeLocalStorage } from './stored-state.ts'

/** A setting in local storage. The first option is the default; it is stored as no value. */
export interface StoredChoice<T extends string> {
  key: string
  options: readonly [T, ...T[]]
}

export function readStoredChoice<T extends string>(choice: StoredChoice<T>): T {
  return parseChoice(localStorage.getItem(choice.key), choice)
}

/** The stored option and its setter. Re-renders when this or another tab changes it. */
export function useStoredChoice<T extends string>(choice: StoredChoice<T>): [T, (chosen: T) => void] {
  const chosen = parseChoice(useLocalStorage(choice.key), choice)
  return [chosen, (next) => writeLocalStorage(choice.key, next === choice.options[0] ? null : next)]
}

function parseChoice<T extends string>(stored: string | null, { options }: StoredChoice<T>): T {
  return options.find((option) => option === stored) ?? options[0]
}
