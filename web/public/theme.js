// Before the first paint, so that a chosen theme never flashes up as the other one. See web/ui/theme-switch.tsx.
try {
  document.documentElement.dataset.theme = localStorage.getItem('theme') ?? 'system'
} catch {
  // Without storage the system's theme it is.
}
