/** `localStorage` or `sessionStorage`. `onChange` is called with each key that was changed. */
export class WebStorage {
  readonly #texts: Map<string, string>
  readonly #onChange: (key: string) => void

  constructor(texts = new Map<string, string>(), onChange: (key: string) => void = () => {}) {
    this.#texts = texts
    this.#onChange = onChange
  }

  getItem(key: string): string | null {
    return this.#texts.get(key) ?? null
  }

  setItem(key: string, text: string): void {
    if (this.#texts.get(key) === text) return
    this.#texts.set(key, text)
    this.#onChange(key)
  }

  removeItem(key: string): void {
    if (this.#texts.delete(key)) this.#onChange(key)
  }
}
