import type { Violation } from './source.ts'

/** A path that starts at the root of somebody's machine, and is no part of a URL. */
const machinePath = /(?<![\w.~-])\/(work|tmp)\//

/** No text of the project, prose included, tells where it once lay on a disk. */
export function machinePaths(path: string, text: string): readonly Violation[] {
  return text.split('\n').flatMap((content, index) => {
    const found = machinePath.exec(content)?.[0]
    if (found === undefined) return []
    return [{ file: path, line: index + 1, rule: 'machine-path', sentence: `${found} is a place on one machine.` }]
  })
}
