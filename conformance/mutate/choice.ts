import { execFileSync } from 'node:child_process'
import { randomFrom } from '../kill/random.ts'
import type { Mutant } from './mutants.ts'

/** So many of each list that they are `count` together: from each the same number, as long as it has that many. */
export function sampled(lists: readonly (readonly Mutant[])[], count: number, seed: number): ReadonlySet<Mutant> {
  const random = randomFrom(seed)
  const chosen = new Set<Mutant>()
  const bySize = [...lists].sort((one, other) => one.length - other.length)
  for (const [index, mutants] of bySize.entries()) {
    const share = Math.ceil((count - chosen.size) / (bySize.length - index))
    for (const mutant of shuffled(mutants, random).slice(0, share)) chosen.add(mutant)
  }
  return chosen
}

function shuffled(mutants: readonly Mutant[], random: () => number): readonly Mutant[] {
  return mutants
    .map((mutant) => ({ mutant, place: random() }))
    .sort((one, other) => one.place - other.place)
    .map(({ mutant }) => mutant)
}

/** The lines that were changed since a commit, as `FILE:LINE`; changes that are not committed yet count. */
export function changedLines(root: string, commit: string): ReadonlySet<string> {
  const diff = execFileSync('git', ['diff', '--unified=0', '--no-color', '--no-ext-diff', commit, '--', '*.ts'], {
    ...{ cwd: root, encoding: 'utf8', maxBuffer: 2 ** 30 },
  })
  const lines = new Set<string>()
  let file = ''
  for (const text of diff.split('\n')) {
    if (text.startsWith('+++ ')) file = text.slice('+++ b/'.length)
    const [, start, count = '1'] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(text) ?? []
    for (let index = 0; start !== undefined && index < Number(count); index++)
      lines.add(`${file}:${Number(start) + index}`)
  }
  return lines
}
