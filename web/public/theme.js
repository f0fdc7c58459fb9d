// Runs before the first paint, so that the page never flashes in the wrong theme. See web/ui/theme-switch.tsx.
try {
  document.documentElement.dataset.theme = localStorage.getItem('theme') ?? 'system'
} catch {
  // Without local storage, the page uses the theme of the system.
}
