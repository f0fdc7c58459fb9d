import { useLayoutEffect, useRef, useState } from 'react'
import { Button, IconButton } from '../../../ui/button.tsx'
import {
  type CharacterSet,
  defaultPasswordOptions,
  generatePassword,
  type PasswordOptions,
} from '../../model/passwords/generate-password.ts'
import * as messages from './part-messages.ts'
import styles from './password-field.module.css'

/** No form has this id. It detaches the inputs from the record's form, so that Enter in them does not submit it. */
const detachedFormId = 'no-form'

interface PasswordGeneratorProps {
  id: string
  onSelect(password: string): void
  onClose(): void
}

/** Suggests random passwords, in a popover that is open while it is rendered. The browser closes it as any other popover. */
export function PasswordGenerator({ id, onSelect, onClose }: PasswordGeneratorProps) {
  const popover = useRef<HTMLFieldSetElement>(null)
  const [options, setOptions] = useState<PasswordOptions>(defaultPasswordOptions)
  const [password, setPassword] = useState(() => generatePassword(options))

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
      aria-label={messages.generator}
      onToggle={({ newState }) => newState === 'closed' && onClose()}
      // Escape closes the popover, and does not cancel the editing.
      onKeyDown={({ key, nativeEvent }) => key === 'Escape' && nativeEvent.stopPropagation()}
    >
      <div className={styles.suggestion}>
        <output className={styles.password} translate="no" aria-label={messages.suggestion}>
          {password}
        </output>
        <IconButton
          icon="refresh-cw"
          aria-label={messages.generateAnother}
          onClick={() => regenerate(options)}
        />
      </div>
      <label className={styles.option}>
        {messages.length}
        <input
          type="range"
          form={detachedFormId}
          min={6}
          max={64}
          value={options.length}
          onChange={(event) => regenerate({ ...options, length: event.target.valueAsNumber })}
        />
        <span className={styles.length}>{options.length}</span>
      </label>
      <label className={styles.option}>
        {messages.characters}
        <select
          form={detachedFormId}
          value={options.characterSet}
          onChange={(event) => regenerate({ ...options, characterSet: event.target.value as CharacterSet })}
        >
          {Object.entries(messages.characterSets).map(([characterSet, text]) => (
            <option key={characterSet} value={characterSet}>
              {text}
            </option>
          ))}
        </select>
      </label>
      <Button onClick={() => onSelect(password)}>{messages.useSuggestion}</Button>
    </fieldset>
  )
}
