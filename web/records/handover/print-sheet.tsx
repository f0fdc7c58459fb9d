import { memo, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { QrCode } from '../../auth/team/qr-code.tsx'
import { afterPaint, listen, whenSettled } from '../../lib/dom.ts'
import { formatDate } from '../../lib/times.ts'
import * as messages from './messages.ts'
import styles from './print-sheet.module.css'

/** A link of a sheet, with what tells whose it is. */
export interface SheetLink {
  id: string
  /** Its visible fields. */
  texts: string[]
  link: string
}

interface PrintSheetProps {
  links: readonly SheetLink[]
  expiresAt: string
  /** Whether the print dialog is to be opened, once all links are drawn. */
  isPending: boolean
  /** Called before the print dialog is opened. */
  onPrint(): void
  /** Call it to take the links out of the page again. */
  onPrinted(): void
}

/** How many codes are drawn at once: about 30 ms of work. */
const step = 10

/** Opens the browser's print dialog for the links, each in a block that can be cut out. */
export function PrintSheet({ links, expiresAt, isPending, onPrint, onPrinted }: PrintSheetProps) {
  const [drawn, setDrawn] = useState(0)
  useEffect(() => listen(window, 'afterprint', onPrinted), [onPrinted])
  useEffect(() => {
    if (!isPending) return
    return whenSettled(afterPaint(), () => {
      if (drawn < links.length) return setDrawn(drawn + step)
      onPrint()
      print()
    })
  }, [drawn, links, isPending, onPrint])
  const until = formatDate(expiresAt)
  return createPortal(
    <div data-printout className={styles.sheet}>
      {links.slice(0, drawn).map((link) => (
        <Block key={link.id} link={link} until={until} />
      ))}
    </div>,
    document.body,
  )
}

const Block = memo(function Block({ link, until }: { link: SheetLink; until: string }) {
  const [title, ...texts] = link.texts
  return (
    <div className={styles.block}>
      <QrCode link={link.link} label={messages.code} />
      <div>
        <p className={styles.title}>{title}</p>
        {texts.map((text) => (
          <p key={text}>{text}</p>
        ))}
        <p>{messages.scan(until)}</p>
        <p className={styles.link}>{link.link}</p>
      </div>
    </div>
  )
})
