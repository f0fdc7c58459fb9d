import {
  type ComponentProps,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useId,
  useRef,
} from 'react'
import { IconButton } from '../button.tsx'
import { Icon, type IconName } from '../icon.tsx'
import styles from './menu.module.css'
import { moveInMenu } from './move-in-menu.ts'

interface MenuProps {
  icon: IconName
  /** Names the button and the menu. */
  label: string
  /** Beside the icon of the button. */
  mark?: ReactNode
  buttonClass?: string | undefined
  /** Says where the menu is. */
  menuClass: string | undefined
  /** Its items may be loaded once it is open. `openMenu` is null when it is closed. */
  onToggle?(openMenu: HTMLElement | null): void
  /** `li` elements, such as `MenuItem`. */
  children: ReactNode
}

/** A button and its popover. The browser opens it, closes it, and restores the focus. */
export function Menu({ icon, label, mark, buttonClass, menuClass, onToggle, children }: MenuProps) {
  const menuId = useId()
  const menu = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent) => menu.current && moveInMenu(event, menu.current)
  return (
    <>
      <IconButton
        icon={icon}
        className={buttonClass}
        aria-label={label}
        popoverTarget={menuId}
        onKeyDown={onKeyDown}
      >
        {mark}
      </IconButton>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset is for the fields of a form */}
      <div
        ref={menu}
        id={menuId}
        role="group"
        aria-label={label}
        popover="auto"
        className={`${styles.menu} ${menuClass}`}
        onKeyDown={onKeyDown}
        onToggle={({ newState, currentTarget }) => onToggle?.(newState === 'open' ? currentTarget : null)}
      >
        <ul>{children}</ul>
      </div>
    </>
  )
}

interface MenuItemProps
  extends Pick<ComponentProps<'button'>, 'aria-haspopup' | 'onPointerEnter' | 'onFocus'> {
  /** Null leaves its place empty. */
  icon?: IconName | null | undefined
  className?: string | undefined
  isDangerous?: boolean
  children: string
  onPress(): void
}

/** Closes the menu, and does something. */
export function MenuItem({ icon, className, isDangerous, children, onPress, ...button }: MenuItemProps) {
  function press({ currentTarget }: MouseEvent<HTMLElement>) {
    // The focus returns to the menu's button, which a dialog then restores it to.
    currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
    onPress()
  }

  return (
    <li className={className}>
      <button
        type="button"
        className={styles.item}
        data-danger={isDangerous || undefined}
        onClick={press}
        {...button}
      >
        {icon !== undefined && <span className={styles.icon}>{icon && <Icon name={icon} />}</span>}
        {children}
      </button>
    </li>
  )
}
