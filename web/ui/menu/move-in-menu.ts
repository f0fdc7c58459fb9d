import type { KeyboardEvent } from 'react'
import { hasModifier } from '../../lib/presses/key-press.ts'

/** Handles the keys that open a menu from its button, and those that move the focus in it. Alt opens a select. */
export function moveInMenu(event: KeyboardEvent, menu: HTMLElement) {
  const index = getItems(menu).indexOf(event.target as HTMLElement)
  const indexByKey: Record<string, number> = {
    ArrowDown: index + 1,
    ArrowUp: Math.max(index, 0) - 1,
    ...(index >= 0 && { Home: 0, End: -1 }),
  }
  const next = indexByKey[event.key]
  if (next === undefined || hasModifier(event)) return
  event.preventDefault()
  menu.togglePopover(true)
  const items = getItems(menu)
  items.at(next % items.length)?.focus()
}

/** The items that can be focused; while the menu is closed, none. */
const getItems = (menu: HTMLElement) =>
  [...menu.querySelectorAll<HTMLElement>('button, select')].filter((item) => item.checkVisibility())
