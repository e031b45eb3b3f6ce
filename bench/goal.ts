/** Two cases of a topic, one of which is compared with the other. */
export interface Pair {
  readonly topic: string
  readonly of: string
  readonly to: string
}

/** Another figure of a case, of those in `Sample.figures`; of several cases the worst counts. */
export interface FigureOf {
  readonly topic: string
  readonly of: string | readonly string[]
  readonly figure: string
}

/** How far the engine should be ahead of something, or how close to it. Of several pairs the worst counts. */
export interface Goal {
  readonly work: string
  readonly against: string
  readonly bound: 'at least' | 'at most'
  readonly target: number
  readonly unit: 'x' | 'ms' | 'MiB' | 'deaths' | 'a second'
  readonly measure:
    | { readonly kind: 'speed' | 'cost'; readonly by: 'CPU time' | 'wall time'; readonly pairs: readonly Pair[] }
    | ({ readonly kind: 'figure' } & FigureOf)
}

/** Two cases of one topic, the first compared with the second. */
export function pair(topic: string, of: string, to: string): Pair {
  return { topic, of, to }
}

/** By CPU time, which other programs on the machine do not affect. */
export function faster(target: number, work: string, against: string, ...pairs: readonly Pair[]): Goal {
  return { work, against, bound: 'at least', target, unit: 'x', measure: { kind: 'speed', by: 'CPU time', pairs } }
}

/** By wall time: work that waits for the disk takes no CPU time. */
export function sooner(target: number, work: string, against: string, ...pairs: readonly Pair[]): Goal {
  return { work, against, bound: 'at least', target, unit: 'x', measure: { kind: 'speed', by: 'wall time', pairs } }
}

/** The cost by CPU time. */
export function dearer(target: number, work: string, against: string, ...pairs: readonly Pair[]): Goal {
  return { work, against, bound: 'at most', target, unit: 'x', measure: { kind: 'cost', by: 'CPU time', pairs } }
}

/** The cost by wall time. */
export function later(target: number, work: string, against: string, ...pairs: readonly Pair[]): Goal {
  return { work, against, bound: 'at most', target, unit: 'x', measure: { kind: 'cost', by: 'wall time', pairs } }
}

/** A figure that is not to be exceeded. */
export function within(target: number, unit: Exclude<Goal['unit'], 'x'>, work: string, figure: FigureOf): Goal {
  return { work, against: '', bound: 'at most', target, unit, measure: { kind: 'figure', ...figure } }
}

/** A figure that is to be reached. */
export function reaching(target: number, unit: Exclude<Goal['unit'], 'x'>, work: string, figure: FigureOf): Goal {
  return { work, against: '', bound: 'at least', target, unit, measure: { kind: 'figure', ...figure } }
}
