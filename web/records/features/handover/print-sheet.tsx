import { useEffect, useEffectEvent } from 'react'
import { createPortal } from 'react-dom'
import { QrCode } from '../../../auth/team/qr-code.tsx'
import { t } from '../../../language/translate.ts'
import { afterPaint, listen, whenSettled } from '../../../lib/dom.ts'
import { formatDate } from '../../../lib/times/times.ts'
import styles from './print-sheet.module.css'

/** A link of a sheet, with what tells whose it is. */
export interface SheetLink {
  id: string
  texts: string[]
  link: string
}

interface PrintSheetProps {
  links: readonly SheetLink[]
  expiresAt: string
  /** Each number opens the print dialog once. */
  attempt: number
  /** Call it to take the links out of the page again. Some browsers do not tell when they have printed. */
  onPrinted(): void
}

/** Prints the links, each in a block that can be cut out. Render it in a transition: a code is 3 ms of work. */
export function PrintSheet({ links, expiresAt, attempt, onPrinted }: PrintSheetProps) {
  const handlePrinted = useEffectEvent(onPrinted)
  useEffect(() => listen(window, 'afterprint', () => handlePrinted()), [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: prints once for each attempt
  useEffect(() => whenSettled(afterPaint(), () => print()), [attempt])
  const until = formatDate(expiresAt)
  return createPortal(
    <div data-printout className={styles.sheet}>
      {links.map((link) => (
        <Block key={link.id} link={link} until={until} />
      ))}
    </div>,
    document.body,
  )
}

function Block({ link, until }: { link: SheetLink; until: string }) {
  const [title, ...texts] = link.texts
  return (
    <div className={styles.block}>
      <QrCode link={link.link} label={t('The link as a QR code')} />
      <div>
        <p className={styles.title} translate="no">
          {title}
        </p>
        {texts.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a text keeps its place
          <p key={index} translate="no">
            {text}
          </p>
        ))}
        <p>
          {t(
            'Scan the code or open the link, then press Show. It shows your sign-in details once, until {date}.',
            { date: until },
          )}
        </p>
        <p className={styles.link} translate="no">
          {link.link}
        </p>
      </div>
    </div>
  )
}
