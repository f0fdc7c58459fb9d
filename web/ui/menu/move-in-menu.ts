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
  whenItems(menu, (items) => items.at(next % items.length)?.focus())
}

/** At once, or when the items are loaded. */
function whenItems(menu: HTMLElement, act: (items: HTMLElement[]) => void) {
  const items = getItems(menu)
  if (items.length > 0) return act(items)
  const observer = new MutationObserver(() => {
    observer.disconnect()
    if (menu.matches(':popover-open')) act(getItems(menu))
  })
  observer.observe(menu, { childList: true, subtree: true })
}

/** The items that can be focused; while the menu is closed, none. */
const getItems = (menu: HTMLElement) =>
  [...menu.querySelectorAll<HTMLElement>('button, select')].filter((item) => item.checkVisibility())
