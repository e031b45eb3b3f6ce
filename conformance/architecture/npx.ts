import type { Violation } from './source.ts'

/** A call of the program by npx, with or without options. */
const call = /\bnpx (?:-\S+ )*otep\b(?: -)?/g

/**
 * Wherever a text calls the program by npx, npx may only run the installed one: without `--no` it offers to download
 * any package of that name. npx would take an option before the command as its own.
 */
export function installedProgram(path: string, text: string): readonly Violation[] {
  if (!text.includes('npx ')) return []
  return text.split('\n').flatMap((content, index) =>
    (content.match(call) ?? [])
      .filter((found) => found !== 'npx --no otep')
      .map((found) => ({
        ...{ file: path, line: index + 1, rule: 'npx' },
        sentence: `${found} is not the installed program: write npx --no otep COMMAND.`,
      })),
  )
}
