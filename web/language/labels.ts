import { msg, t } from './translate.ts'

const labels = [msg('Employee Name'), msg('Email'), msg('Password')]

/** Translates a label of `fieldRules`, which links and emergency files contain too. Returns any other as it is. */
export function translateLabel(label: string): string {
  const message = labels.find(([, english]) => english === label)
  return message ? t(message) : label
}
