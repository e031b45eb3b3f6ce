import type { Mutant } from './mutants.ts'

/** A mutant that behaves as the original does, so that no test can catch it. */
export interface Equivalent {
  readonly file: string
  /** The line, without indentation. */
  readonly before: string
  /** The line with the mutant, as the report shows it. */
  readonly after: string
  readonly reason: string
}

/** Found by hand. An entry that fits no mutant any more is reported. */
export const equivalents: readonly Equivalent[] = [
  {
    file: 'engine/domains/tracking/place.ts',
    before: 'const order = paths.find(({ identifier }) => isShared(identifier.kind))',
    after: 'const order = paths.findLast(({ identifier }) => isShared(identifier.kind))',
    reason: 'The order id is the only shared identifier, and a subject has one at most.',
  },
  {
    file: 'engine/domains/tracking/place.ts',
    before: 'if (candidates.length === 1) return undefined',
    after: 'if (false) return undefined',
    reason: 'The only candidate is the answer, whether it holds the event or not; the line spares a look into it.',
  },
  {
    file: 'engine/domains/tracking/validate.ts',
    before: 'if (!isObject(document)) return 0',
    after: 'if (!isObject(document)) return 1',
    reason: 'The size is only compared with the limit of 10,000 events.',
  },
  ...['events: 40001, assignments: 40_000', 'events: 40_000, assignments: 40001'].map((after) => ({
    file: 'engine/domains/tracking/state-cache.ts',
    before: 'const room = { events: 40_000, assignments: 40_000 }',
    after: `const room = { ${after} }`,
    reason:
      'A cached state is brought up to date before it is used, so the size of the cache decides only how much is read.',
  })),
  ...[
    ['return one < other ? -1 : one > other ? 1 : 0', 'return one < other ? -2 : one > other ? 1 : 0'] as const,
    ['return one < other ? -1 : one > other ? 1 : 0', 'return one < other ? -1 : one > other ? 2 : 0'] as const,
    ['if (Number.isNaN(unit)) return -1', 'if (Number.isNaN(unit)) return -2'] as const,
  ].map(([before, after]) => ({
    file: 'engine/store/memory-models.ts',
    ...{ before, after },
    reason: 'Only the sign of a comparison counts.',
  })),
  {
    file: 'engine/store/append.ts',
    before: 'const isPast = Number.isInteger(believed) && believed >= -1 && believed < head.revision',
    after: 'const isPast = Number.isInteger(believed) && believed >= -1 && believed <= head.revision',
    reason: 'An append that believes in the revision of the stream has been decided in the line before.',
  },
  ...[
    'first > slack && first > items.length / 3',
    'first <= slack && first > items.length / 2',
    'first > slack && first >= items.length / 2',
    'first > slack && first <= items.length / 2',
  ].map((after) => ({
    file: 'adapters/webhooks/dispatch/queue.ts',
    before: 'if (first === items.length || (first > slack && first > items.length / 2)) {',
    after: `if (first === items.length || (${after})) {`,
    reason: 'It only decides when the rest is copied.',
  })),
  {
    file: 'engine/kernel/days.ts',
    before: 'const middle = Math.floor((before + within) / 2)',
    after: 'const middle = Math.ceil((before + within) / 2)',
    reason: 'Either middle lies between the two bounds, and the search ends at the same instant.',
  },
  {
    file: 'engine/domains/tracking/reducer.ts',
    before: 'isInOrder: true,',
    after: 'isInOrder: false,',
    reason: 'Entries that are in order are only spared a sort.',
  },
]

/** Whether an entry speaks of this mutant. */
export function speaksOf(entry: Equivalent, { file, before, after }: Mutant): boolean {
  return entry.file === file && entry.before === before && entry.after === after
}
