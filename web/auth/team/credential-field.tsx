import { type ReactNode, useId } from 'react'
import { t } from '../../language/translate.ts'
import { removeMarks } from '../../lib/isolate.ts'
import { mask } from '../../lib/use-kept-value.ts'
import { IconButton } from '../../ui/button.tsx'
import fieldStyles from '../../ui/field.module.css'
import containerStyles from '../../ui/password-input.module.css'
import type { CredentialLine } from './credential.ts'
import styles from './credential-field.module.css'

interface CredentialFieldProps extends CredentialLine {
  reveal: { shown: boolean; toggle(): void }
  copyButton: ReactNode
}

/** A value of a credential, in as many lines as it needs. It can be selected, not edited. */
export function CredentialField({ label, value, isSecret, reveal, copyButton }: CredentialFieldProps) {
  const id = useId()
  const readable = isSecret ? value : removeMarks(value)
  const shown = isSecret && !reveal.shown ? mask : readable
  return (
    <div className={fieldStyles.field}>
      <label className={fieldStyles.label} htmlFor={id}>
        {label}
      </label>
      <div className={containerStyles.container}>
        <textarea
          id={id}
          // A default value would be in the markup.
          ref={(element) => {
            if (element) element.value = shown
          }}
          className={`${fieldStyles.input} ${styles.text} ${isSecret ? styles.secret : ''}`}
          // For browsers that can't fit the height to the text: as many lines as it has on a narrow screen.
          rows={Math.ceil(shown.length / 20)}
          dir={isSecret ? 'ltr' : 'auto'}
          spellCheck={false}
          readOnly
        />
        <span className={`${containerStyles.buttons} ${styles.buttons}`}>
          {copyButton}
          {isSecret && (
            <IconButton
              icon={reveal.shown ? 'eye-off' : 'eye'}
              aria-label={t('Show password')}
              aria-pressed={reveal.shown}
              onClick={reveal.toggle}
            />
          )}
        </span>
      </div>
    </div>
  )
}
