import { useStorage, writeStorage } from './stored-state.ts'

/** A choice that this browser remembers for the person, one of a few words; anything else counts as the first. */
export interface Choice<T extends string> {
  key: string
  options: readonly [T, ...T[]]
}

export function readChoice<T extends string>(choice: Choice<T>): T {
  return choiceIn(localStorage.getItem(choice.key), choice)
}

/** The choice as it is kept, also when another tab changes it, and a way to change it. */
export function useChoice<T extends string>(choice: Choice<T>): [T, (chosen: T) => void] {
  const chosen = choiceIn(useStorage(choice.key), choice)
  return [chosen, (next) => writeStorage(choice.key, next === choice.options[0] ? null : next)]
}

function choiceIn<T extends string>(kept: string | null, { options }: Choice<T>): T {
  return options.find((option) => option === kept) ?? options[0]
}
