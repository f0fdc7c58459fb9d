import { useEffect } from 'react'
import { fieldNames } from '../../../contract/employees.ts'
import { t } from '../../language/translate.ts'
import { actAfter, hasMoved } from '../../lib/dom.ts'
import keyStyles from '../../ui/key/key.module.css'
import { nameKey } from '../../ui/key/key.tsx'
import { fieldViews } from '../model/fields.ts'
import { hasLetterShortcuts } from '../model/keys/shortcut-key.ts'
import { closestRow } from './elements.ts'
import { actionByKey, copyAction } from './table/use-row-actions.tsx'
import styles from './tooltips.module.css'

/**
 * Names what the mouse rests on, or the keyboard has moved the focus to: an icon with its key, or a text that is cut off. Screen
 * readers know all of it from the elements themselves. Loaded once the page is idle, and listens for the page as a whole, because
 * each row has five icons.
 */
export function Tooltips() {
  useEffect(() => new Tooltip().observe(), [])
  return null
}

/** After how long a tooltip opens; and for how long the next one opens at once after one has closed, in ms. */
const timesMs = { open: 500, warm: 300 }

/** Between a tooltip and what it names, and the edge of the page. */
const gapPx = 6
const edgePx = 8

const movesFocus = /^(Tab|Arrow|Home|End)/
const isModifier = /^(Shift|Control|Alt|Meta)/

type Means = 'pointer' | 'focus'

class Tooltip {
  readonly #element = createElement()
  /** What the tooltip names, or will name. */
  #target: HTMLElement | null = null
  #means: Means = 'pointer'
  /** What it does not name until it is pointed at or focused anew. */
  #dismissed: HTMLElement | null = null
  /** Whether the last key has moved the focus: only then does the focus ask for a name. */
  #hasMovedFocus = false
  #isWarm = false
  #stopOpening = () => {}
  #stopCooling = () => {}

  /** Starts to listen. Returns a function that stops. */
  observe(): () => void {
    document.body.append(this.#element)
    const listening = new AbortController()
    // Before all other listeners, because Escape is for the tooltip alone.
    const options = { capture: true, passive: false, signal: listening.signal }
    for (const [type, handle] of Object.entries(this.#handlers))
      document.addEventListener(type, handle as (event: Event) => void, options)
    return () => {
      listening.abort()
      this.#dismiss()
      this.#stopCooling()
      this.#element.remove()
    }
  }

  readonly #handlers = {
    pointerover: (event: PointerEvent) => {
      if (event.pointerType !== 'touch' && !findTrigger(event.target)) this.#leaveIfAway(event)
    },
    // Only this event tells whether the mouse has moved, or the page beneath it has changed, such as a dialog that has opened there.
    pointermove: (event: PointerEvent) => {
      if (event.pointerType === 'touch') return
      const trigger = findTrigger(event.target)
      if (!trigger) this.#leaveIfAway(event)
      else if (hasMoved(event)) this.#aimAt(trigger, 'pointer')
    },
    pointerdown: () => {
      this.#hasMovedFocus = false
      this.#dismiss()
    },
    keydown: (event: KeyboardEvent) => {
      if (isModifier.test(event.key)) return
      this.#hasMovedFocus = movesFocus.test(event.key)
      if (this.#hasMovedFocus) return
      if (event.key === 'Escape' && this.#isOpen) {
        event.preventDefault()
        event.stopPropagation()
      }
      this.#dismiss()
    },
    focusin: ({ target }: FocusEvent) => {
      const isAsking = this.#hasMovedFocus && (target as Element).matches(':focus-visible')
      if (isAsking) this.#aimAt(findTrigger(target), 'focus')
    },
    focusout: () => {
      if (this.#means === 'focus') this.#aimAt(null)
    },
    scroll: () => {
      this.#dismiss()
      this.#target = null
    },
  }

  get #isOpen(): boolean {
    return this.#element.matches(':popover-open')
  }

  #aimAt(target: HTMLElement | null, means: Means = this.#means) {
    if (target === this.#target) return
    this.#target = target
    this.#means = means
    this.#stopOpening()
    if (target !== this.#dismissed) this.#dismissed = null
    const isNext = this.#isWarm || this.#isOpen
    if (!target || target === this.#dismissed) this.#close()
    else if (isNext) this.#open(target)
    else this.#stopOpening = actAfter(timesMs.open, () => this.#open(target))
  }

  /** The mouse can be moved over the tooltip, which stays then. What is beneath can still be pressed. */
  #leaveIfAway({ clientX, clientY }: PointerEvent) {
    if (this.#means !== 'pointer') return
    const { left, right, top, bottom } = this.#element.getBoundingClientRect()
    const isOver =
      this.#isOpen &&
      clientX >= left &&
      clientX <= right &&
      clientY >= top - gapPx &&
      clientY <= bottom + gapPx
    if (!isOver) this.#aimAt(null)
  }

  #open(target: HTMLElement) {
    if (!target.checkVisibility()) return this.#close()
    const element = this.#element
    // What is outside of a modal dialog is not shown to everybody.
    const host = target.closest('dialog, [popover]') ?? document.body
    if (element.parentElement !== host) host.append(element)
    const isText = !isControl(target)
    element.translate = !isText
    element.dir = isText ? 'auto' : ''
    element.replaceChildren(nameOf(target), ...(isText ? [] : keysOf(target)))
    element.showPopover()
    this.#place(target)
  }

  #place(target: HTMLElement) {
    const { left, top, bottom, width } = target.getBoundingClientRect()
    const { offsetWidth, offsetHeight, style } = this.#element
    const lastPx = document.documentElement.clientWidth - offsetWidth - edgePx
    const above = top - offsetHeight - gapPx
    style.left = `${Math.max(edgePx, Math.min(left + width / 2 - offsetWidth / 2, lastPx))}px`
    style.top = `${above < edgePx ? bottom + gapPx : above}px`
  }

  #close() {
    if (!this.#isOpen) return
    this.#element.hidePopover()
    this.#element.replaceChildren()
    this.#isWarm = true
    this.#stopCooling()
    this.#stopCooling = actAfter(timesMs.warm, () => {
      this.#isWarm = false
    })
  }

  #dismiss() {
    this.#stopOpening()
    this.#dismissed = this.#target
    this.#close()
    this.#isWarm = false
  }
}

function createElement(): HTMLElement {
  const element = document.createElement('div')
  element.className = styles.tooltip ?? ''
  element.popover = 'manual'
  element.ariaHidden = 'true'
  return element
}

const isControl = (element: HTMLElement) => element.matches('button, select')

/** The icon or the text that is cut off at an element. */
function findTrigger(target: EventTarget | null): HTMLElement | null {
  if (!(target instanceof Element)) return null
  const control = target.closest<HTMLElement>('button, select')
  if (control) return isIcon(control) ? control : null
  const text = target.closest<HTMLElement>('[data-text], [data-initials]')
  return text && isCut(text) ? text : null
}

/** Whether a control shows an icon alone. Its text may be there for screen readers only. */
function isIcon(control: HTMLElement): boolean {
  if (control.dataset.icon !== undefined) return true
  if (control.matches('select'))
    return control.matches('[data-icon] + select') && control.offsetWidth < 1.5 * control.offsetHeight
  const children = [...control.children] as HTMLElement[]
  const hasText = children.length < control.childNodes.length
  const isShown = (child: HTMLElement) => !child.matches('[data-icon]') && child.offsetWidth > 1
  return children.length > 0 && !hasText && !children.some(isShown)
}

function isCut(text: HTMLElement): boolean {
  const { scrollWidth, clientWidth } = text.querySelector('bdi') ?? text
  return scrollWidth > clientWidth
}

/** In a row, without the name of its record. */
function nameOf({ dataset, ariaLabel, ariaPressed, textContent }: HTMLElement): string {
  const copied = fieldNames.find((name) => copyAction(name) === dataset.action)
  if (copied) return t('Copy the {field}', { field: t(fieldViews[copied].noun) })
  switch (dataset.action) {
    case 'show':
      return ariaPressed === 'true' ? t('Hide') : t('Show')
    case 'edit':
      return t('Edit')
    case 'delete':
      return t('Delete')
    case 'hand-over':
      return t('Hand over')
    default:
      return ariaLabel ?? textContent
  }
}

const isLetter = (key: string) => key.length === 1 && key !== ' '

/** The key that does the same on the focused row: a letter, unless the user has turned those off. */
function keysOf(control: HTMLElement): HTMLElement[] {
  if (!closestRow(control)) return []
  const keys = Object.keys(actionByKey).filter((key) => actionByKey[key] === control.dataset.action)
  const letter = hasLetterShortcuts() ? keys.find(isLetter) : undefined
  const key = letter ?? keys.find((key) => !isLetter(key))
  if (key === undefined) return []
  const element = document.createElement('kbd')
  element.className = keyStyles.key ?? ''
  element.textContent = nameKey(key === ' ' ? 'Space' : key)
  return [element]
}
