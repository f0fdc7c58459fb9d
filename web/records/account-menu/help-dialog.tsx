import { Dialog } from '../../ui/dialog.tsx'
import * as words from './words.ts'

/** Defined by the build, from package.json. */
declare const __PRODUCT__: { version: string; homepage?: string }

export function HelpDialog({ onClose }: { onClose(): void }) {
  const { version, homepage } = __PRODUCT__
  return (
    <Dialog title={words.help} onClose={onClose}>
      <p>{words.howItSaves}</p>
      <p>{words.whomToAsk}</p>
      <p>
        {words.version(version)}
        {homepage && (
          <>
            {' · '}
            <a href={homepage} target="_blank" rel="noreferrer">
              {words.documentation}
            </a>
          </>
        )}
      </p>
    </Dialog>
  )
}
