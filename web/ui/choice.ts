import { useSyncExternalStore } from 'react'

/** A choice that this browser remembers for the person, one of a few words; anything else counts as the first. */
export interface Choice<T extends string> {
  key: string
  options: readonly [T, ...T[]]
}

const listeners = new Set<() => void>()

export function readChoice<T extends string>({ key, options }: Choice<T>): T {
  const kept = localStorage.getItem(key)
  return options.find((option) => option === kept) ?? options[0]
}

export function keepChoice<T extends string>({ key, options }: Choice<T>, chosen: T): void {
  if (chosen === options[0]) localStorage.removeItem(key)
  else localStorage.setItem(key, chosen)
  for (const listener of listeners) listener()
}

/** The choice as it is kept, also when another tab changes it, and a way to change it. */
export function useChoice<T extends string>(choice: Choice<T>): [T, (chosen: T) => void] {
  const chosen = useSyncExternalStore(subscribe, () => readChoice(choice))
  return [chosen, (next) => keepChoice(choice, next)]
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('storage', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('storage', listener)
  }
}
