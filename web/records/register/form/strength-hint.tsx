import { useEffect, useEffectEvent, useRef } from 'react'
import { type Message, msg, t } from '../../../language/translate.ts'
import { actAfter } from '../../../lib/dom.ts'
import { estimateStrength, type PasswordStrength } from '../../model/passwords/password-strength.ts'
import styles from './password-field.module.css'

/** The strength is announced when the password has not changed for this time, in ms. */
const announceDelayMs = 700

const levels: Record<PasswordStrength['level'], Message> = {
  'very weak': msg('Very weak'),
  weak: msg('Weak'),
  fair: msg('Fair'),
  strong: msg('Strong'),
}

interface StrengthHintProps {
  password: string
  userInputs: readonly string[]
  announce(message: string): void
}

/** The strength of the password as text and as a bar. A weak password can be submitted anyway. */
export function StrengthHint({ password, userInputs, announce }: StrengthHintProps) {
  const { level, because } = estimateStrength(password, userInputs)
  const strength = t(levels[level])
  const text = because ? t('{strength}: {reason}', { strength, reason: t(because) }) : strength
  const announced = useRef('')

  const announceText = useEffectEvent(() => {
    if (text !== announced.current) announce(text)
    announced.current = text
  })

  // biome-ignore lint/correctness/useExhaustiveDependencies: each change of the password starts the delay anew
  useEffect(() => actAfter(announceDelayMs, announceText), [text, password])

  return (
    <span className={styles.strength} data-level={level}>
      <span className={styles.meter} aria-hidden="true" />
      <span>{text}</span>
    </span>
  )
}
