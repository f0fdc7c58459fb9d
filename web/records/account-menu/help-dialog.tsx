import { Dialog } from '../../ui/dialog.tsx'

/** Defined by the build, from package.json. */
declare const __PRODUCT__: { version: string; homepage?: string }

export function HelpDialog({ onClose }: { onClose(): void }) {
  const { version, homepage } = __PRODUCT__
  return (
    <Dialog title="Help" onClose={onClose}>
      <p>
        Every change appears at once in every colleague’s browser. What could not be saved stays on this
        device and is listed above the table until it is.
      </p>
      <p>For a new account, a forgotten password or a backup, ask whoever runs this register.</p>
      <p>
        Staffbook {version}
        {homepage && (
          <>
            {' · '}
            <a href={homepage} target="_blank" rel="noreferrer">
              Documentation
            </a>
          </>
        )}
      </p>
    </Dialog>
  )
}
