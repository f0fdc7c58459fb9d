/** A syntactically valid API key; the emulator accepts any. */
export const demoKey = 'AIzaDemoDemoDemoDemoDemoDemoDemoDemoDemo'
