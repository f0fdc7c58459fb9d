import { t } from '../../../language/translate.ts'
import { Dialog } from '../../../ui/dialog.tsx'

/** Defined by the build, from package.json. */
declare const __VERSION__: string

export function HelpDialog({ title, onClose }: { title: string; onClose(): void }) {
  return (
    <Dialog title={title} onClose={onClose}>
      <p>
        {t(
          'Colleagues see every change at once. Changes that couldn’t be saved stay on this device and are listed above the table.',
        )}
      </p>
      <p>
        {t(
          'Undo takes back your last change or delete, for everybody. Recently deleted, in the account menu, brings back any record.',
        )}
      </p>
      <p>{t('For a forgotten password, ask a colleague; for a backup, your administrator.')}</p>
      <p translate="no">{`Staffbook ${__VERSION__}`}</p>
    </Dialog>
  )
}
