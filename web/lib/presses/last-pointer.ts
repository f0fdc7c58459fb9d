import { listen } from '../dom.ts'

let lastType = ''
listen(globalThis.window, 'pointerdown', ({ pointerType }: PointerEvent) => {
  lastType = pointerType
})

/** Whether the user presses with what rests above the page, a mouse or a pen. A computer may also have a touch screen. */
export const hasHover = () => (lastType ? lastType !== 'touch' : matchMedia('(hover: hover)').matches)
