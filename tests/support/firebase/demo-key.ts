/** An API key in its proper form; the emulator takes any. */
export const demoKey = 'AIzaDemoDemoDemoDemoDemoDemoDemoDemoDemo'
