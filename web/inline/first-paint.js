// Runs before the first paint: the page never flashes in the wrong theme (see web/ui/theme-switch.tsx), and shell.html shows
// the outline of the screen that will come. What links open, behind a `#`, has none. A header of the server says what its
// settings change in it (web/auth/account-screen.module.css). The language is the chosen one, or the first
// that the browser prefers and the page has. The catalog and the chunk of the screen are loaded together with the entry script.
const root = document.documentElement
let user = null
let wanted = navigator.languages
try {
  user = localStorage.getItem('user')
  const language = localStorage.getItem('language')
  if (language) wanted = [language, ...wanted]
  const theme = localStorage.getItem('theme') ?? 'system'
  root.dataset.theme = theme
  for (const meta of document.querySelectorAll('meta[name=theme-color]')) {
    if (theme !== 'system') meta.media = meta.dataset.theme === theme ? 'all' : 'not all'
  }
} catch {
  // Without local storage, the page uses the theme of the system.
}
const isForm = location.pathname === '/form' && user !== null
if (!/#|%23/.test(location.href)) {
  root.dataset.screen = isForm ? 'form' : location.pathname === '/signin' ? 'signin' : 'signup'
}
const [navigation] = performance.getEntriesByType('navigation')
root.dataset.policy = navigation?.serverTiming?.map(({ name }) => name).join(' ') ?? ''

const list = document.querySelector('meta[name=catalogs]')?.content
const languages = list ? list.split(',').map((entry) => entry.split(' ')) : []
// Languages are compared with their script, so that Taiwan does not get simplified Chinese.
const getScript = (tag) => new Intl.Locale(tag).maximize().script
const isSame = (a, b) => a.split('-')[0] === b.split('-')[0] && getScript(a) === getScript(b)
const available = ['en', ...languages.map(([tag]) => tag)]
const find = (tag) =>
  available.find((other) => other === tag) ?? available.find((other) => isSame(other, tag))
root.lang = wanted.map(find).find(Boolean) ?? 'en'
const [, direction, catalog] = languages.find(([tag]) => tag === root.lang) ?? []
if (direction === 'rtl') root.dir = direction
const [account, form] = document.querySelector('meta[name=screens]')?.content.split(' ') ?? []
for (const file of [isForm ? form : account, catalog].filter(Boolean)) {
  const link = document.createElement('link')
  link.rel = 'modulepreload'
  link.href = file
  document.head.append(link)
}

// If a script does not come, or the browser is too old for it, nothing else would ever replace the outline.
const showFailure = ({ target }) => {
  const outline = document.querySelector('.shell')
  if (!outline || target.localName === 'link') return
  const texts = JSON.parse(document.querySelector('meta[name=not-loaded]').content)
  const message = document.createElement('p')
  message.className = 'shell-failure'
  message.setAttribute('role', 'alert')
  message.textContent = texts[root.lang] ?? texts.en
  outline.replaceWith(message)
}
addEventListener('error', showFailure, true)
