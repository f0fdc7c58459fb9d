import { useLayoutEffect, useRef, useState } from 'react'
import { formatNumber, type Message, msg, t } from '../../../language/translate.ts'
import { Button, IconButton } from '../../../ui/button.tsx'
import { useLiveRegion } from '../../../ui/live-region.tsx'
import {
  type CharacterSet,
  defaultPasswordOptions,
  generatePassword,
  type PasswordOptions,
} from '../../model/passwords/generate-password.ts'
import styles from './password-field.module.css'
import { StrengthHint } from './strength-hint.tsx'

/** No form has this id. It detaches the inputs from the record's form, so that Enter in them does not submit it. */
const detachedFormId = 'no-form'

const characterSets: Record<CharacterSet, Message> = {
  symbols: msg('Letters, numbers and symbols'),
  letters: msg('Letters and numbers'),
  numbers: msg('Numbers only'),
}

interface PasswordGeneratorProps {
  id: string
  /** What a password must not contain. */
  userInputs: readonly string[]
  onSelect(password: string): void
  onClose(): void
}

/** Suggests random passwords, in a popover that is open while it is rendered. The browser closes it as any other popover. */
export function PasswordGenerator({ id, userInputs, onSelect, onClose }: PasswordGeneratorProps) {
  const popover = useRef<HTMLFieldSetElement>(null)
  const [options, setOptions] = useState<PasswordOptions>(defaultPasswordOptions)
  const [password, setPassword] = useState(() => generatePassword(options))
  const { liveRegion, announce } = useLiveRegion()

  useLayoutEffect(() => popover.current?.showPopover(), [])

  function regenerate(next: PasswordOptions) {
    setOptions(next)
    setPassword(generatePassword(next))
  }

  return (
    <fieldset
      ref={popover}
      id={id}
      popover="auto"
      className={styles.panel}
      aria-label={t('Password generator')}
      onToggle={({ newState }) => newState === 'closed' && onClose()}
      // Escape closes the popover, and does not cancel the editing.
      onKeyDown={({ key, nativeEvent }) => key === 'Escape' && nativeEvent.stopPropagation()}
    >
      <div className={styles.suggestion}>
        <output className={styles.password} translate="no" aria-label={t('Suggested password')}>
          {password}
        </output>
        <IconButton
          icon="refresh-cw"
          aria-label={t('Generate another password')}
          onClick={() => regenerate(options)}
        />
      </div>
      <StrengthHint
        password={password}
        userInputs={userInputs}
        // Of another length, or of other characters.
        announce={(strength) => options !== defaultPasswordOptions && announce(strength)}
      />
      {liveRegion}
      <Options options={options} onChange={regenerate} />
      <Button variant="primary" onClick={() => onSelect(password)}>
        {t('Use this password')}
      </Button>
    </fieldset>
  )
}

interface OptionsProps {
  options: PasswordOptions
  onChange(options: PasswordOptions): void
}

function Options({ options, onChange }: OptionsProps) {
  return (
    <>
      <label className={styles.option}>
        {t('Length')}
        <input
          type="range"
          form={detachedFormId}
          min={6}
          max={64}
          value={options.length}
          onChange={({ target }) => onChange({ ...options, length: target.valueAsNumber })}
        />
        <span className={styles.length}>{formatNumber(options.length)}</span>
      </label>
      <label className={styles.option}>
        {t('Characters')}
        <select
          className="arrow"
          form={detachedFormId}
          value={options.characterSet}
          onChange={({ target }) => onChange({ ...options, characterSet: target.value as CharacterSet })}
        >
          {Object.entries(characterSets).map(([characterSet, text]) => (
            <option key={characterSet} value={characterSet}>
              {t(text)}
            </option>
          ))}
        </select>
      </label>
    </>
  )
}
