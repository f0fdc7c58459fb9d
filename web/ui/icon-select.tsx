import { Icon, type IconName } from './icon.tsx'
import styles from './icon-select.module.css'

interface IconSelectProps<Value extends string> {
  icon: IconName
  label: string
  value: Value
  options: Readonly<Record<Value, string>>
  onChange(value: Value): void
  className?: string | undefined
  /** `no` if the options are names. */
  translate?: 'no'
}

/** The browser's own choice of one option, behind an icon. */
export function IconSelect<Value extends string>(props: IconSelectProps<Value>) {
  const { icon, label, value, options, onChange, className, translate } = props
  return (
    <span className={`${styles.select} ${className ?? ''}`}>
      <Icon name={icon} />
      <select
        aria-label={label}
        translate={translate}
        value={value}
        onChange={(event) => onChange(event.target.value as Value)}
      >
        {Object.entries<string>(options).map(([option, text]) => (
          <option key={option} value={option}>
            {text}
          </option>
        ))}
      </select>
    </span>
  )
}
