import { Dialog } from '../../ui/dialog.tsx'
import * as words from './words.ts'

/** Defined by the build, from package.json. */
declare const __VERSION__: string

export function HelpDialog({ onClose }: { onClose(): void }) {
  return (
    <Dialog title={words.help} onClose={onClose}>
      <p>{words.howItSaves}</p>
      <p>{words.undo}</p>
      <p>{words.whomToAsk}</p>
      <p>{words.documentation}</p>
      <p>{words.version(__VERSION__)}</p>
    </Dialog>
  )
}
