import { type KeyboardEvent, type MouseEvent, type ReactNode, useState } from 'react'
import { t } from '../language/translate.ts'
import styles from './caps-lock.module.css'

/** Says beside the label of a password field that Caps Lock is on, from the first key or press in the field that tells. */
export function CapsLockNotice({ children }: { children: ReactNode }) {
  const [isOn, setOn] = useState(false)
  const read = (event: KeyboardEvent | MouseEvent) => setOn(event.getModifierState('CapsLock'))
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the field in it acts
    <div
      className={styles.field}
      onKeyDown={read}
      onKeyUp={read}
      onMouseDown={read}
      onBlur={() => setOn(false)}
    >
      {children}
      <p role="status" className={styles.notice}>
        {isOn && t('Caps Lock is on.')}
      </p>
    </div>
  )
}
