import type { Violation } from './source.ts'

/** An absolute path of somebody's machine, which is not part of a URL. */
const machinePath = /(?<![\w.~-])\/(work|tmp)\//

/** No text of the project contains such a path. */
export function machinePaths(path: string, text: string): readonly Violation[] {
  if (!machinePath.test(text)) return []
  return text.split('\n').flatMap((content, index) => {
    const found = machinePath.exec(content)?.[0]
    if (found === undefined) return []
    return [{ file: path, line: index + 1, rule: 'machine-path', sentence: `${found} is a place on one machine.` }]
  })
}
