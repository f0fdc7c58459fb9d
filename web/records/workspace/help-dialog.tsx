import { Dialog } from '../../ui/dialog.tsx'
import * as messages from './dialog-messages.ts'
import { help } from './messages.ts'

/** Defined by the build, from package.json. */
declare const __VERSION__: string

export function HelpDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={help} onClose={onClose}>
      <p>{messages.howItSaves}</p>
      <p>{messages.howToUndo}</p>
      <p>{messages.whomToAsk}</p>
      <p>{messages.version(__VERSION__)}</p>
    </Dialog>
  )
}
