import { execFileSync } from 'node:child_process'
import { chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { expect } from 'vitest'
import { chromiumArgs } from '../../scripts/chromium.ts'
import { startProgram } from '../engines/journey.ts'
import { cleanUpAfterTest, createFolder } from '../support/cleanup.ts'
import { minimalEnvironment } from '../support/environment.ts'

/** A desktop of its own: a display, a session bus, the screen reader Orca, and Chromium in a window. */
export interface Desktop {
  browser: Browser
  /** Gives the newest window of the browser the keyboard. */
  focusWindow(): void
  /** Presses keys on the keyboard of the desktop, by their names in X, such as `ctrl+k`. */
  press(...keys: string[]): void
  type(text: string): void
  /** What the screen reader has said since its start, line by line. */
  readSpoken(): string[]
}

/** A voice that writes what it is given, a line each. Orca's debug log has the same, but its last lines stay in a buffer. */
const writingVoice = `import os
from orca import speechserver

class SpeechServer(speechserver.SpeechServer):
    def __init__(self):
        super().__init__()
        self.log = open(os.environ['SPEECH_LOG'], 'a', buffering=1)

    @staticmethod
    def getSpeechServer(info=None):
        return SpeechServer()

    def speak(self, text=None, acss=None, interrupt=True):
        if text:
            self.log.write(' '.join(text.split()) + '\\n')

    def speakCharacter(self, character, acss=None):
        self.speak(character)

    def sayAll(self, utteranceIterator, progressCallback):
        for [context, acss] in utteranceIterator:
            self.speak(context.utterance)
`
/** Without the echo of keys, so that only what the page makes it say is heard. */
const profile = {
  enableKeyEcho: false,
  // Reading a page from its start takes as long as a person would listen.
  sayAllOnLoad: false,
  pageSummaryOnLoad: false,
  speechServerFactory: 'writing_voice',
  profile: ['Default', 'default'],
}
const settings = {
  general: { ...profile, startingProfile: ['Default', 'default'] },
  profiles: { default: profile },
  pronunciations: {},
  keybindings: {},
}

export async function startDesktop(): Promise<Desktop> {
  // Orca asks `pgrep` for another one, such as that of the developer's own desktop, and would not start beside it.
  const HOME = createFolder({
    'orca/user-settings.conf': JSON.stringify(settings),
    'orca/writing_voice.py': writingVoice,
    'bin/pgrep': '#!/bin/sh\nexit 1\n',
  })
  chmodSync(join(HOME, 'bin/pgrep'), 0o755)
  const XDG_RUNTIME_DIR = join(HOME, 'run')
  mkdirSync(XDG_RUNTIME_DIR, { mode: 0o700 })
  const own = { HOME, XDG_RUNTIME_DIR, LANG: 'C.UTF-8' }
  const bus = await startProgram(
    ['dbus-daemon', '--session', '--nofork', '--print-address'],
    own,
    /^(unix:.*)$/,
  )
  const screen = ['-displayfd', '1', '-screen', '0', '1280x800x24', '-nolisten', 'tcp']
  const display = await startProgram(['Xvfb', ...screen], own, /^(\d+)$/)
  const env = { ...minimalEnvironment(), ...own, DISPLAY: `:${display}`, DBUS_SESSION_BUS_ADDRESS: bus }

  const SPEECH_LOG = join(HOME, 'spoken.txt')
  const PATH = [join(HOME, 'bin'), process.env.PATH].join(delimiter)
  const orca = ['orca', '--user-prefs', join(HOME, 'orca'), '--disable', 'braille']
  await startProgram(orca, { ...env, PATH, SPEECH_LOG })
  const readSpoken = () => (existsSync(SPEECH_LOG) ? readLines(readFileSync(SPEECH_LOG, 'utf8')) : [])
  await expect.poll(readSpoken).toContain('Screen reader on')

  const browser = await chromium.launch({
    headless: false,
    executablePath: '/usr/bin/chromium',
    env,
    args: ['--force-renderer-accessibility', ...chromiumArgs],
  })
  cleanUpAfterTest(() => browser.close())
  const control = (...args: string[]) => execFileSync('xdotool', args, { env, encoding: 'utf8' })
  return {
    browser,
    focusWindow() {
      const windows = control('search', '--onlyvisible', '--class', 'chromium').trim().split('\n')
      control('windowfocus', '--sync', windows.at(-1) ?? '')
    },
    press: (...keys) => void control('key', ...keys),
    type: (text) => void control('type', '--delay', '30', text),
    readSpoken,
  }
}

/** Without the full stops that Orca adds, and marks of direction, which no voice speaks. */
const readLines = (log: string) =>
  log
    .split('\n')
    .filter(Boolean)
    .map((line) => line.replaceAll(/[\u2066-\u2069\u200e\u200f]/g, '').replace(/\.?\s*$/, ''))
