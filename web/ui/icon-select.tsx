import { Icon, type IconName } from './icon.tsx'
import styles from './icon-select.module.css'

interface IconSelectProps<Value extends string> {
  icon: IconName
  label: string
  value: Value
  options: readonly Value[]
  /** The text of an option. */
  textOf(option: Value): string
  onChange(value: Value): void
  className?: string | undefined
}

/** The browser's own choice of one option, behind an icon. */
export function IconSelect<Value extends string>(props: IconSelectProps<Value>) {
  const { icon, label, value, options, textOf, onChange, className } = props
  return (
    <span className={`${styles.select} ${className ?? ''}`}>
      <Icon name={icon} />
      <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value as Value)}>
        {options.map((option) => (
          <option key={option} value={option}>
            {textOf(option)}
          </option>
        ))}
      </select>
    </span>
  )
}
