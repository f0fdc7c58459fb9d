import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'vite'
import { root } from '../terminal.ts'
import { findSourceFiles } from './imports.ts'

const maxFunctionLines = 90

/** Functions of product code, also arrow functions and methods, that are too long. */
export function findLongFunctions(): string[] {
  return findSourceFiles('{contract,web,server}/**/*.{ts,tsx}')
    .filter((file) => !/\.(test\.tsx?|d\.ts)$/.test(file))
    .flatMap((file) => findLongFunctionsIn(file, readFileSync(join(root, file), 'utf8')))
}

export function findLongFunctionsIn(file: string, text: string): string[] {
  const problems: string[] = []
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length
  const measure = ({ start, end }: { start: number; end: number }) => {
    const lines = lineAt(end) - lineAt(start) + 1
    if (lines > maxFunctionLines)
      problems.push(`${file}:${lineAt(start)} a function of ${lines} lines; at most ${maxFunctionLines}`)
  }
  const visitor = new Visitor({
    FunctionDeclaration: measure,
    FunctionExpression: measure,
    ArrowFunctionExpression: measure,
  })
  visitor.visit(parseSync(file, text).program)
  return problems
}
