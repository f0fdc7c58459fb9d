import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { type Alphabet, generatePassword, type Recipe, usualRecipe } from './generate-password.ts'
import styles from './password-field.module.css'

const alphabetNames: [Alphabet, string][] = [
  ['symbols', 'Letters, figures and signs'],
  ['letters', 'Letters and figures'],
  ['figures', 'Figures only'],
]
/** Keeps the panel's controls out of the record's form: they are not sent with it, and Enter in them submits nothing. */
const apart = 'no-form'

/** Suggests random passwords until the person takes one. */
export function GeneratorPanel({ onUse }: { onUse(password: string): void }) {
  const [recipe, setRecipe] = useState<Recipe>(usualRecipe)
  const [password, setPassword] = useState(() => generatePassword(recipe))

  function change(next: Recipe) {
    setRecipe(next)
    setPassword(generatePassword(next))
  }

  return (
    <fieldset className={styles.panel} aria-label="Password generator">
      <div className={styles.suggestion}>
        <output className={styles.password} aria-label="Suggested password">
          {password}
        </output>
        <Button look="icon" aria-label="Another one" title="Another one" onClick={() => change(recipe)}>
          <Icon name="refresh-cw" />
        </Button>
      </div>
      <label className={styles.option}>
        Length
        <input
          type="range"
          form={apart}
          min={6}
          max={64}
          value={recipe.length}
          onChange={(event) => change({ ...recipe, length: event.target.valueAsNumber })}
        />
        <span className={styles.length}>{recipe.length}</span>
      </label>
      <label className={styles.option}>
        Made of
        <select
          form={apart}
          value={recipe.alphabet}
          onChange={(event) => change({ ...recipe, alphabet: event.target.value as Alphabet })}
        >
          {alphabetNames.map(([alphabet, name]) => (
            <option key={alphabet} value={alphabet}>
              {name}
            </option>
          ))}
        </select>
      </label>
      <Button onClick={() => onUse(password)}>Use this password</Button>
    </fieldset>
  )
}
